// Reads decks from PostgreSQL. A deck of a million terms costs no more than one of a few thousand, since the
// queries use indexes and read little more than they return.
import type { Database } from '../platform/postgres/postgres.ts';
import type { Accepted, Term } from './rules.ts';
import { type Deck, DIFFICULTIES, LANGUAGES, PARTS_OF_SPEECH } from './schema.ts';

/** The number of terms of a deck that a replica holds in memory. A larger deck is sampled. */
export const SAMPLE_SIZE = 2000;

/** A deck with its counts. */
export interface DeckCount extends Deck {
  terms: number;
  /** The number of different pairs of prompt and gloss that have three distractors. */
  questions: number;
  sources: { name: string; licence: string; terms: number }[];
}

/**
 * Reads a random sample of a deck, or all of a small one: the terms whose fixed random number lies in an
 * interval. The bound of the interval, beside that of the rows, keeps the planner from sorting a whole deck,
 * whatever its statistics say.
 * @param start the beginning of the interval, from 0 to 1; the interval continues at 0
 * @returns about `SAMPLE_SIZE` terms at most, and whether these are all
 */
export async function sampleTerms(
  db: Database,
  deck: Deck,
  start: number,
): Promise<{ terms: Term[]; isWhole: boolean; deckId?: number }> {
  const stored = await db.deck.findUnique({
    where: { sourceLanguage_targetLanguage_pos_difficulty: deckKey(deck) },
    select: { id: true, termCount: true },
  });
  if (!stored) return { terms: [], isWhole: true };
  const isWhole = stored.termCount <= SAMPLE_SIZE;
  const from = isWhole ? 0 : start;
  const to = isWhole ? 1 : start + SAMPLE_SIZE / stored.termCount;
  const terms = await db.$queryRaw<Term[]>`
    SELECT source_text AS "sourceText", target_text AS "targetText", source_gloss AS "sourceGloss",
           source_key AS "sourceKey", target_key AS "targetKey", field
      FROM term
     WHERE deck_id = ${stored.id} AND draw >= ${from}::float8 AND draw < ${to}::float8
    UNION ALL
    SELECT source_text, target_text, source_gloss, source_key, target_key, field
      FROM term
     WHERE deck_id = ${stored.id} AND draw < ${to - 1}::float8
    LIMIT ${2 * SAMPLE_SIZE}`;
  return { terms, isWhole, deckId: stored.id };
}

function deckKey({ sourceLanguage, targetLanguage, pos, difficulty }: Deck): Deck {
  return { sourceLanguage, targetLanguage, pos, difficulty };
}

/**
 * @param sourceKeys the normalised prompts
 * @returns the accepted translations of the prompts in all decks of the direction, none of which may be a
 *   wrong option [contract 3]
 */
export async function acceptedTranslations(
  db: Database,
  { sourceLanguage, targetLanguage }: Pick<Deck, 'sourceLanguage' | 'targetLanguage'>,
  sourceKeys: string[],
): Promise<Accepted[]> {
  return db.$queryRaw<Accepted[]>`
    SELECT DISTINCT source_key AS "sourceKey", target_key AS "targetKey"
      FROM term
     WHERE source_key = ANY(${sourceKeys}::text[])
       AND deck_id = ANY(ARRAY(
             SELECT id FROM deck
              WHERE source_language = ${sourceLanguage} AND target_language = ${targetLanguage}))`;
}

/** @returns the decks that have terms, in the order of the enumerations [contract 3] */
export async function countDecks(db: Database): Promise<DeckCount[]> {
  const rows = await db.deck.findMany({ where: { termCount: { gt: 0 } } });
  return rows
    .map((row) => ({
      ...deckKey(row as Deck),
      terms: row.termCount,
      questions: row.questionCount,
      sources: row.sources as DeckCount['sources'],
    }))
    .toSorted((a, b) => place(a) - place(b));
}

function place({ sourceLanguage, targetLanguage, pos, difficulty }: Deck): number {
  const digits = [
    LANGUAGES.indexOf(sourceLanguage),
    LANGUAGES.indexOf(targetLanguage),
    PARTS_OF_SPEECH.indexOf(pos),
    DIFFICULTIES.indexOf(difficulty),
  ];
  return digits.reduce((number, digit) => number * 10 + digit, 0);
}
