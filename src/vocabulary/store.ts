// Reads decks, and the translations of decks and lists, from PostgreSQL. A deck of a million terms costs no more than
// one of a few thousand, since the queries use indexes and read little more than they return.
import type { z } from 'zod';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database, Postgres } from '../platform/postgres/postgres.ts';
import { type Accepted, listOfName, type Term } from './rules.ts';
import { type AskedDeck, type Deck, DIFFICULTIES, LANGUAGES, PARTS_OF_SPEECH, type Vocabulary } from './schema.ts';

/** The number of terms of a deck that a replica holds in memory. A larger deck is sampled. */
export const SAMPLE_SIZE = 2000;

export type DeckCount = z.output<typeof Vocabulary>['decks'][number];

/**
 * Reads a random sample of a deck, or all of a small one: the terms whose fixed random number lies in an interval,
 * whose bound, beside that of the rows, keeps the planner from sorting a whole deck, whatever its statistics say.
 * @param start the beginning of the interval, from 0 to 1; the interval continues at 0
 * @returns about `SAMPLE_SIZE` terms at most, and whether these are all
 */
export async function sampleTerms(
  db: Database,
  { topic, ...deck }: AskedDeck,
  start: number,
): Promise<{ terms: Term[]; isWhole: boolean; deckId?: number }> {
  const stored = await db.deck.findUnique({
    where: { sourceLanguage_targetLanguage_pos_difficulty: deckKey(deck) },
    select: { id: true, termCount: true },
  });
  if (!stored) return { terms: [], isWhole: true };
  if (topic !== undefined) return { terms: await sampleTopic(db, stored.id, topic, start), isWhole: false };
  const isWhole = stored.termCount <= SAMPLE_SIZE;
  const from = isWhole ? 0 : start;
  const to = isWhole ? 1 : start + SAMPLE_SIZE / stored.termCount;
  const terms = await db.$queryRaw<Term[]>`
    SELECT ${TERM_COLUMNS} FROM term
     WHERE deck_id = ${stored.id} AND draw >= ${from}::float8 AND draw < ${to}::float8
    UNION ALL
    SELECT ${TERM_COLUMNS} FROM term
     WHERE deck_id = ${stored.id} AND draw < ${to - 1}::float8
    LIMIT ${2 * SAMPLE_SIZE}`;
  return { terms, isWhole, deckId: stored.id };
}

const TERM_COLUMNS = Prisma.sql`
  source_text AS "sourceText", target_text AS "targetText", source_gloss AS "sourceGloss",
  source_key AS "sourceKey", target_key AS "targetKey", field, alternative IS TRUE AS "isAlternative"`;

/** An index has the terms of a topic in the order of their random numbers. */
function sampleTopic(db: Database, deckId: number, topic: string, start: number): Promise<Term[]> {
  const part = (condition: Prisma.Sql) => Prisma.sql`
    (SELECT ${TERM_COLUMNS} FROM term WHERE deck_id = ${deckId} AND field = ${topic} AND ${condition}
      ORDER BY draw LIMIT ${SAMPLE_SIZE})`;
  return db.$queryRaw`
    ${part(Prisma.sql`draw >= ${start}::float8`)} UNION ALL ${part(Prisma.sql`draw < ${start}::float8`)}
    LIMIT ${SAMPLE_SIZE}`;
}

function deckKey({ sourceLanguage, targetLanguage, pos, difficulty }: Deck): Deck {
  return { sourceLanguage, targetLanguage, pos, difficulty };
}

/** @returns all accepted translations of prompts in the direction: none may be a wrong option [contract 3] */
export async function acceptedTranslations(
  db: Database,
  { sourceLanguage, targetLanguage }: Pick<Deck, 'sourceLanguage' | 'targetLanguage'>,
  sourceKeys: string[],
): Promise<Accepted[]> {
  return db.$queryRaw<Accepted[]>`
    SELECT DISTINCT source_key AS "sourceKey", target_key AS "targetKey"
      FROM term
     WHERE source_key = ANY(${sourceKeys}::text[]) AND deck_id = ANY(ARRAY(
       SELECT id FROM deck WHERE source_language = ${sourceLanguage} AND target_language = ${targetLanguage}))`;
}

/** @returns the decks that have terms, in the order of the enumerations [contract 3] */
export async function countDecks(db: Database): Promise<DeckCount[]> {
  const rows = await db.deck.findMany({ where: { termCount: { gt: 0 } } });
  const decks = rows.map((row) => ({
    ...deckKey(row as Deck),
    terms: row.termCount,
    questions: row.questionCount,
    topics: row.topics as DeckCount['topics'],
    sources: row.sources as DeckCount['sources'],
  }));
  return decks.toSorted((one, other) => place(one) - place(other));
}

function place({ sourceLanguage, targetLanguage, pos, difficulty }: Deck): number {
  const languages = 10 * LANGUAGES.indexOf(sourceLanguage) + LANGUAGES.indexOf(targetLanguage);
  return 100 * languages + 10 * PARTS_OF_SPEECH.indexOf(pos) + DIFFICULTIES.indexOf(difficulty);
}

/** The most terms that one statement returns; a prompt has a few translations. */
const MAX_TERMS = 5000;
/** The most terms of one translation that are read; a deck's word is that of a few prompts. */
const MAX_OF_ONE = 100;

/** @returns the terms of the deck with these normalised prompts, whatever their glosses */
export async function findTranslations(db: Database, deckId: number, sourceKeys: string[]): Promise<Term[]> {
  return db.$queryRaw<Term[]>`
    SELECT ${TERM_COLUMNS} FROM term
     WHERE source_key = ANY(${sourceKeys}::text[]) AND deck_id = ${deckId}
     LIMIT ${MAX_TERMS}`;
}

export type Translation = Pick<Term, 'sourceText' | 'sourceGloss' | 'targetText'>;

const IN_DECK = `
  SELECT source_text AS "sourceText", source_gloss AS "sourceGloss", target_text AS "targetText"
    FROM term
   WHERE translation_keys @> ARRAY[$1::int]
     AND deck_id = (SELECT id FROM deck WHERE (source_language, target_language, pos, difficulty) = ($2, $3, $4, $5))
   LIMIT ${MAX_OF_ONE}`;

/**
 * Decompresses each value once, however many terms are found: one path reads them all, and the joined array is a value
 * that `OFFSET 0` keeps from being computed for each of them.
 */
const inList = (texts: string, index: 'translation' | 'source') => `
  SELECT ${texts}
    FROM word_list
   CROSS JOIN LATERAL (SELECT ${index}_terms || '{}'::smallint[] AS place_of OFFSET 0) plain
   CROSS JOIN LATERAL (
     SELECT string_agg((place_of[at] - 1)::text, ',') AS places
       FROM unnest((array_positions(${index}_keys, $1::int))[:${MAX_OF_ONE}]) AS at) found
   CROSS JOIN LATERAL jsonb_path_query(terms, ('$[' || places || ']')::jsonpath) AS term
   WHERE id = $2::uuid`;

const [SOURCE, TARGET, GLOSS] = ["term->>'sourceText'", "term->>'targetText'", `term->>'sourceGloss' AS "sourceGloss"`];
const IN_LIST = {
  name: 'find_in_list',
  text: inList(`${SOURCE} AS "sourceText", ${TARGET} AS "targetText", ${GLOSS}`, 'translation'),
};
const IN_REVERSED_LIST = {
  name: 'find_in_reversed_list',
  text: inList(`${TARGET} AS "sourceText", ${SOURCE} AS "targetText", NULL AS "sourceGloss"`, 'source'),
};

/** @returns the terms of a deck or list, unless it is deleted, of whose translation or alternatives one has this key */
export async function findByTranslation(postgres: Postgres, words: string, key: number): Promise<Translation[]> {
  const list = listOfName(words);
  const { rows } = await postgres.query<Translation>(
    list
      ? { ...(list.reverse ? IN_REVERSED_LIST : IN_LIST), values: [key, list.listId] }
      : { name: 'find_in_deck', text: IN_DECK, values: [key, ...words.split(' ')] },
  );
  return rows;
}
