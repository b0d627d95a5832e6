// The vocabulary in PostgreSQL. A deck of a million terms costs no more here than one of a few
// thousand: the queries follow indexes and read little more than what they return.
import type { Database } from '../platform/postgres.ts';
import type { Accepted, Term } from './rules.ts';
import { type Deck, DIFFICULTIES, LANGUAGES, PARTS_OF_SPEECH } from './schema.ts';

/** How much of a deck a replica holds. */
export const SAMPLE_SIZE = 2000;

/** A deck and what is counted of it. */
export interface DeckCount extends Deck {
  terms: number;
  /** Different pairs of prompt and gloss that can be asked, each with three usable distractors. */
  questions: number;
  sources: { name: string; licence: string; terms: number }[];
}

/**
 * A random part of a deck, or all of it when it is small enough: the terms whose fixed random number
 * lies in a window that is just wide enough. Bounding the window, and not only the rows, keeps the
 * planner from sorting a whole deck, whatever its statistics say.
 * @param start from 0 to 1: where the window begins; it wraps around
 * @returns about `SAMPLE_SIZE` terms at most, and whether that is all of them
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
 * Every accepted translation of some prompts in a deck's direction, whatever the part of speech and
 * the level: none of them may be offered as a wrong answer. [contract 3]
 * @param sourceKeys the prompts, normalised
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

/** The decks that hold terms, in the order of the enumerations. [contract 3] */
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
