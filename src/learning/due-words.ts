// What a user has learned of a deck or list, by the time at which it becomes due, in PostgreSQL: an index
// has these words in this order, so that a statement costs what it returns, however many are remembered.
// [contract 13]
import { inBatches } from '../platform/batches.ts';
import type { Database } from '../platform/postgres.ts';
import { textStatement } from '../platform/statements.ts';
import { someElements, uuidArray } from '../platform/uuid-arrays.ts';
import type { Term } from '../vocabulary/rules.ts';
import type { Deck } from '../vocabulary/schema.ts';
import type { PoolWords } from './word-ids.ts';

/** What is asked of a user's words. */
export interface Asked {
  userId: string;
  /** The id of a deck, or of a list. */
  place: number | string;
  nowMs: number;
  /** How many that are due, or with these were never answered, or of the rest. */
  count: number;
  /** Among which those that were never answered are looked for: so many from a place on. */
  tried: { held: PoolWords; start: number; count: number };
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

/** More that are due are looked at: some may have left their deck. */
const SPARE_WORDS = 2;

/** Each has its own statement, whose plan follows one index. */
const findInDecks = inCrowd('due-in-decks', 'w.deck_id = a.place::int');
const findInLists = inCrowd('due-in-lists', 'w.list_id = a.place::uuid');
const findInDecksSurely = inCrowd(
  'due-in-decks-surely',
  `w.deck_id = a.place::int AND EXISTS (
     SELECT FROM term t WHERE t.source_key = w.source_key AND t.deck_id = w.deck_id)`,
);

/** @returns words that are due; where those are not enough, those never answered; then the others */
export async function findByDue(db: Database, asked: Asked): Promise<WordsByDue> {
  const findInDeck = asked.isSure ? findInDecksSurely : findInDecks;
  const find = typeof asked.place === 'string' ? findInLists : findInDeck;
  const [due = [], fresh = [], rest = []] = (await find(db, asked))
    .split('|')
    .map((words) => (words === '' ? [] : words.split(' ')));
  const { held, start } = asked.tried;
  const idOf = (nth: string) => held.ids[(start + Number(nth)) % held.ids.length] as string;
  return { due, fresh: fresh.map(idOf), rest };
}

/**
 * The way to the database costs more than what is done there: who starts at the same time shares it.
 * @param name of the statement
 * @param isThere whether a learned word, w, is of the place that is asked for in a
 * @returns gives the words that are due, the places of those never answered among what is tried, and the
 * rest, as one text: arrays and rows cost the replica more than all the rest of a start
 */
function inCrowd(name: string, isThere: string) {
  const ask = textStatement(name, findSql(isThere));
  const load = async (db: Database, all: Asked[]): Promise<string[]> =>
    (await ask(db, valuesOf(all))).split(',');
  // No two are the same: what somebody knows may have changed between them.
  let asked = 0;
  return inBatches(load, () => String(asked++));
}

/**
 * Did the planner see how long the first array is, it would plan anew for each crowd, which costs more than
 * all the rest. And as a join it would read all that the user knows.
 */
function findSql(isThere: string): string {
  const ofUser = `SELECT word, due FROM learned_word w WHERE w.user_id = a.user_id AND ${isThere}`;
  return `SELECT string_agg(concat(d.due, '|', f.fresh, '|', r.rest), ',' ORDER BY number)
       FROM unnest((SELECT $1::uuid[]), $2::text[], $3::int[], $4::int[], $5::int[])
            WITH ORDINALITY AS a (user_id, place, most, first_tried, tried, number)
      CROSS JOIN LATERAL (
        SELECT string_agg(word::text, ' ' ORDER BY due) AS due,
               greatest(a.most - count(*), 0) AS lacking
          FROM (${ofUser} AND w.due <= $7::timestamptz
                 ORDER BY w.due LIMIT a.most + ${SPARE_WORDS}) AS first) AS d
      CROSS JOIN LATERAL (
        SELECT string_agg(nth::text, ' ') AS fresh, d.lacking - count(*) AS lacking
          FROM (SELECT nth FROM (SELECT generate_series(0, a.tried - 1)) AS one (nth)
                 WHERE (SELECT true FROM learned_word w
                         WHERE w.user_id = a.user_id
                           AND w.word = ($6::uuid[])[a.first_tried + nth]) IS NULL
                 LIMIT d.lacking) AS first) AS f
      CROSS JOIN LATERAL (
        SELECT CASE WHEN f.lacking > 0 THEN (
                 SELECT string_agg(word::text, ' ' ORDER BY due)
                   FROM (${ofUser} AND w.due > $7::timestamptz
                          ORDER BY w.due LIMIT a.most) AS first) END AS rest) AS r`;
}

function valuesOf(all: Asked[]): (string | Buffer)[] {
  const arrayOfEach = (read: (one: Asked) => string | number) => `{${all.map(read).join(',')}}`;
  const firstTried = [1];
  for (const { tried } of all) firstTried.push((firstTried.at(-1) as number) + tried.count);
  return [
    arrayOfEach(({ userId }) => userId),
    arrayOfEach(({ place }) => place),
    arrayOfEach(({ count }) => count),
    `{${firstTried.slice(0, -1).join(',')}}`,
    arrayOfEach(({ tried }) => tried.count),
    uuidArray(
      all.flatMap(({ tried: { held, start, count } }) => someElements(held.elements, start, count)),
    ),
    new Date(Math.max(...all.map(({ nowMs }) => nowMs))).toISOString(),
  ];
}

/** A learned word of a deck of which a replica holds only a part, with all that a question needs. */
export interface LearnedWord {
  word: string;
  /** None where the word has left the deck. */
  terms: Term[];
  /** The keys of all that is right for the prompt. */
  accepted: string[];
}

const askForTerms = textStatement(
  'terms-of-words',
  `SELECT coalesce(jsonb_agg(jsonb_build_object(
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
                       SELECT id FROM deck WHERE source_language = $1
                          AND target_language = $2))), '[]'))), '[]')::text
     FROM learned_word w
    WHERE w.user_id = $3::uuid AND w.word = ANY((SELECT $4::uuid[])::uuid[])`,
);

/** @param words that the user has learned of the deck */
export async function findTermsOfWords(
  db: Database,
  userId: string,
  { sourceLanguage, targetLanguage }: Deck,
  words: readonly string[],
): Promise<LearnedWord[]> {
  const values = [sourceLanguage, targetLanguage, userId, `{${words.join(',')}}`];
  return JSON.parse(await askForTerms(db, values));
}
