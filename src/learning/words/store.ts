// Reads the words of a deck in the order of their prompts, and what a user knows of words. Each statement reads an
// index, and little more than it returns; the words that a user has learned of a deck are sorted. [contract 13]
import { Prisma } from '../../generated/prisma/client.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { Term } from '../../vocabulary/rules.ts';
import type { Deck } from '../../vocabulary/schema.ts';
import { KNOWN_STABILITY_DAYS } from '../rules.ts';
import type { WordsQuery } from './query-schema.ts';

/** The last character of Unicode, behind which no text that begins alike is sorted. */
const LAST_CHARACTER = '\u{10ffff}';

/** The state of words that a user has learned. */
export type LearnedState = Exclude<NonNullable<WordsQuery['state']>, 'new'>;

/** The normalised prompts that a statement reads. */
export interface PromptRange {
  /** The first one. */
  from: string;
  /** How each of them begins. */
  prefix: string;
  /** How many of them are read at most. */
  limit: number;
}

/** @returns the deck's id; null if there is no such deck */
export async function findDeckId(
  db: Database,
  { sourceLanguage, targetLanguage, pos, difficulty }: Deck,
): Promise<number | null> {
  const deck = await db.deck.findFirst({
    where: { sourceLanguage, targetLanguage, pos, difficulty },
    select: { id: true },
  });
  return deck?.id ?? null;
}

/** @returns the different normalised prompts of a deck, in the order of their code points */
export async function findPrompts(db: Database, deckId: number, { limit, ...range }: PromptRange): Promise<string[]> {
  const rows = await db.$queryRaw<{ key: string }[]>`
    SELECT DISTINCT source_key COLLATE "C" AS key FROM term
     WHERE deck_id = ${deckId} AND ${within(range)}
     ORDER BY key LIMIT ${limit}`;
  return rows.map(({ key }) => key);
}

/** @returns the same of the prompts that the user has learned in this state */
export async function findLearnedPrompts(
  db: Database,
  userId: string,
  deckId: number,
  state: LearnedState,
  { limit, ...range }: PromptRange,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ key: string }[]>`
    SELECT DISTINCT source_key COLLATE "C" AS key FROM learned_word
     WHERE user_id = ${userId}::uuid AND deck_id = ${deckId} AND ${within(range)} AND ${CONDITIONS[state]}
     ORDER BY key LIMIT ${limit}`;
  return rows.map(({ key }) => key);
}

const CONDITIONS: Record<LearnedState, Prisma.Sql> = {
  learning: Prisma.sql`stability < ${KNOWN_STABILITY_DAYS}`,
  known: Prisma.sql`stability >= ${KNOWN_STABILITY_DAYS}`,
  suspended: Prisma.sql`suspended`,
};

function within({ from, prefix }: Omit<PromptRange, 'limit'>): Prisma.Sql {
  const start = from < prefix ? prefix : from;
  return Prisma.sql`source_key COLLATE "C" >= ${start}
    AND source_key COLLATE "C" < ${prefix + LAST_CHARACTER}`;
}

/** A term, as words are made of it. */
export type WordTerm = Pick<Term, 'sourceText' | 'targetText' | 'sourceGloss' | 'sourceKey'>;

/** @returns the deck's terms with these normalised prompts, in any order */
export function findTermsOfPrompts(db: Database, deckId: number, prompts: readonly string[]): Promise<WordTerm[]> {
  return db.$queryRaw<WordTerm[]>`
    SELECT source_text AS "sourceText", target_text AS "targetText", source_gloss AS "sourceGloss",
           source_key AS "sourceKey"
      FROM term
     WHERE source_key = ANY(${prompts}::text[]) AND deck_id = ${deckId}
     ORDER BY target_key`;
}

/** What a user knows of a word. */
export interface Knowledge {
  word: string;
  due: Date;
  stability: number;
  suspended: boolean;
}

/** @returns by the word's id what the user knows of those of these words that the user has answered */
export async function findKnowledge(
  db: Database,
  userId: string,
  words: readonly string[],
): Promise<Map<string, Knowledge>> {
  const rows = await db.$queryRaw<Knowledge[]>`
    SELECT word, due, stability, suspended FROM learned_word
     WHERE user_id = ${userId}::uuid AND word = ANY(${words}::uuid[])`;
  return new Map(rows.map((row) => [row.word, row]));
}

/** @returns whether the user has answered such a word */
export async function setSuspended(db: Database, userId: string, word: string, suspended: boolean): Promise<boolean> {
  const { count } = await db.learnedWord.updateMany({ where: { userId, word }, data: { suspended } });
  return count === 1;
}
