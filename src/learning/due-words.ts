// What a user has learned of a deck or list, by the time at which it becomes due, in PostgreSQL: an index
// has these words in this order, so that a statement costs what it returns, however many are remembered.
// [contract 13]
import { Prisma } from '../generated/prisma/client.ts';
import { inBatches } from '../platform/batches.ts';
import type { Database } from '../platform/postgres.ts';
import type { Term } from '../vocabulary/rules.ts';
import type { Deck } from '../vocabulary/schema.ts';

/** What is asked of a user's words. */
export interface Asked {
  userId: string;
  /** The id of a deck, or of a list. */
  place: number | string;
  now: Date;
  /** How many that are due, or with these were never answered, and how many of the rest. */
  limit: number;
  /** Among which those that were never answered are looked for. */
  tried: readonly string[];
  /** Whether words of a deck that have left it are passed over, which takes a while. */
  isSure: boolean;
}

/** Words as word-ids.ts names them, those that are learned by the time at which they become due. */
export interface WordsByDue {
  due: string[];
  /** Never answered. */
  fresh: string[];
  rest: string[];
}

/** Each has its own statement, whose plan follows one index. */
const findInDecks = inCrowd(Prisma.sql`w.deck_id = a.place::int`);
const findInLists = inCrowd(Prisma.sql`w.list_id = a.place::uuid`);
const findInDecksSurely = inCrowd(Prisma.sql`w.deck_id = a.place::int AND EXISTS (
  SELECT FROM term t WHERE t.source_key = w.source_key AND t.deck_id = w.deck_id)`);

/** @returns words that are due; where those are not enough, the others too */
export async function findByDue(db: Database, asked: Asked): Promise<WordsByDue> {
  const findInDeck = asked.isSure ? findInDecksSurely : findInDecks;
  const find = typeof asked.place === 'string' ? findInLists : findInDeck;
  const [due = [], fresh = [], rest = []] = (await find(db, asked))
    .split('|')
    .map((words) => (words === '' ? [] : words.split(' ')));
  return { due, fresh, rest };
}

/**
 * The way to the database costs more than what is done there: who starts at the same time shares it.
 * @param isThere whether a learned word, w, is of the place that is asked for in a
 * @returns gives the words that are due, those never answered and the rest, as one text: arrays and rows
 * cost the replica more than all the rest of a start
 */
function inCrowd(isThere: Prisma.Sql) {
  const ofUser = Prisma.sql`SELECT word, due FROM learned_word w WHERE w.user_id = a.user_id AND ${isThere}`;
  const load = async (db: Database, all: Asked[]): Promise<string[]> => {
    const arrayOfEach = (read: (one: Asked) => string | number) => `{${all.map(read).join(',')}}`;
    const [row] = await db.$queryRaw<[{ found: string }]>`
      WITH asked AS MATERIALIZED (
        SELECT *
          FROM unnest(${arrayOfEach(({ userId }) => userId)}::uuid[],
                      ${arrayOfEach(({ place }) => place)}::text[],
                      ${arrayOfEach(({ now }) => `"${now.toISOString()}"`)}::timestamptz[],
                      ${arrayOfEach(({ limit }) => limit)}::int[],
                      ${arrayOfEach(({ tried }) => `"{${tried.join(',')}}"`)}::text[])
                 WITH ORDINALITY AS one (user_id, place, now, most, tried, number)
      )
      SELECT string_agg(concat(d.due, '|', o.fresh, '|', o.rest), ',' ORDER BY number) AS found
        FROM asked a
       CROSS JOIN LATERAL (
         SELECT string_agg(word::text, ' ' ORDER BY due) AS due, a.most - count(*) AS lacking
           FROM (${ofUser} AND w.due <= a.now ORDER BY w.due LIMIT a.most) AS first) AS d
       CROSS JOIN LATERAL (
         SELECT CASE WHEN d.lacking > 0 THEN (
                  SELECT string_agg(word, ' ')
                    FROM (SELECT word FROM unnest(a.tried::text[]) AS tried (word)
                           WHERE (SELECT true FROM learned_word w
                                   WHERE w.user_id = a.user_id AND w.word = tried.word::uuid) IS NULL
                           LIMIT d.lacking) AS first) END AS fresh,
                CASE WHEN d.lacking > 0 THEN (
                  SELECT string_agg(word::text, ' ' ORDER BY due)
                    FROM (${ofUser} AND w.due > a.now ORDER BY w.due LIMIT a.most) AS first) END AS rest) AS o`;
    return row.found.split(',');
  };
  // No two are the same: what somebody knows may have changed between them.
  let asked = 0;
  return inBatches(load, () => String(asked++));
}

/** A learned word of a deck of which a replica holds only a part, with all that a question needs. */
export interface LearnedWord {
  word: string;
  /** None where the word has left the deck. */
  terms: Term[];
  /** The keys of all that is right for the prompt. */
  accepted: string[];
}

/** @param words that the user has learned of the deck */
export async function findTermsOfWords(
  db: Database,
  userId: string,
  { sourceLanguage, targetLanguage }: Deck,
  words: readonly string[],
): Promise<LearnedWord[]> {
  const [row] = await db.$queryRaw<[{ learned: LearnedWord[] | null }]>`
    SELECT jsonb_agg(jsonb_build_object(
             'word', w.word, 'terms', coalesce((
               SELECT jsonb_agg(jsonb_build_object(
                        'sourceText', t.source_text, 'targetText', t.target_text,
                        'sourceGloss', t.source_gloss, 'sourceKey', t.source_key,
                        'targetKey', t.target_key, 'field', t.field))
                 FROM term t
                WHERE t.source_key = w.source_key AND t.deck_id = w.deck_id
                  AND lower(t.source_gloss) IS NOT DISTINCT FROM lower(w.gloss)), '[]'),
             'accepted', coalesce((
               SELECT jsonb_agg(a.target_key) FROM term a
                WHERE a.source_key = w.source_key
                  AND a.deck_id = ANY(ARRAY(
                        SELECT id FROM deck WHERE source_language = ${sourceLanguage}
                           AND target_language = ${targetLanguage}))), '[]'))) AS learned
      FROM learned_word w
     WHERE w.user_id = ${userId}::uuid AND w.word = ANY(${`{${words.join(',')}}`}::uuid[])`;
  return row.learned ?? [];
}
