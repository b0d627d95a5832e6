// Reads all that is stored of a user's learned words, some at a time, with their texts. A word of a list refers to the
// text in the list by a hash, so that its text is read from there. [contract 13, 22]
import { Prisma, type LearnedWord as Stored } from '../generated/prisma/client.ts';
import { type Database, inPages } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { findPlayableList } from '../vocabulary/lists/store.ts';
import type { KnownDirection } from '../vocabulary/rules.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { type LearnedWord, WORD_STATES, type WordMemoryRecord } from './schema.ts';
import { wordsOfList } from './word-ids.ts';

/** The number of words that one statement reads. */
const PAGE = 500;
/** The number of lists that are looked up at once; each of them is then read by itself. */
const LISTS_AT_ONCE = 100;

/** @returns the words of decks, then those of lists, some at a time */
export async function* readLearnedWords(
  deps: Pick<Services, 'db' | 'pools'>,
  userId: string,
): AsyncGenerator<LearnedWord[]> {
  yield* readDeckWords(deps.db, userId);
  const pages = inPages(LISTS_AT_ONCE, (after?: KnownDirection) => findLearnedLists(deps.db, userId, after));
  for await (const lists of pages) for (const list of lists) yield* readListWords(deps, userId, list);
}

const ORIGIN = { userId: true, deckId: true, listId: true, reverse: true, sourceKey: true, gloss: true } as const;
type MemoryRow = Omit<Stored, keyof typeof ORIGIN>;

type DeckWordRow = MemoryRow & { deck: Deck; prompt: string; gloss: string | null };

/** A word that has left its deck has its normalised text alone. */
async function* readDeckWords(db: Database, userId: string): AsyncGenerator<LearnedWord[]> {
  const pages = inPages(PAGE, (after?: DeckWordRow) => {
    const later = after ? Prisma.sql`AND word > ${after.word}::uuid` : Prisma.empty;
    return db.$queryRaw<DeckWordRow[]>`
      SELECT w.word, coalesce(t.source_text, w.source_key) AS prompt, w.gloss,
             jsonb_build_object('sourceLanguage', d.source_language, 'targetLanguage', d.target_language,
                                'pos', d.pos, 'difficulty', d.difficulty) AS deck,
             w.due, w.stability, w.difficulty, w.state, w.step, w.scheduled_days AS "scheduledDays",
             w.reps, w.lapses, w.reviewed_at AS "reviewedAt", w.suspended
        FROM (SELECT * FROM learned_word
               WHERE user_id = ${userId}::uuid AND deck_id IS NOT NULL ${later}
               ORDER BY word LIMIT ${PAGE}) w
        JOIN deck d ON d.id = w.deck_id
        LEFT JOIN LATERAL (SELECT source_text FROM term
                            WHERE source_key = w.source_key AND deck_id = w.deck_id LIMIT 1) t
               ON true
       ORDER BY w.word`;
  });
  for await (const page of pages)
    yield page.map(({ deck, prompt, gloss, ...memory }) => {
      return { ...deck, ...textOf(prompt, gloss), memory: recordOf(memory) };
    });
}

function findLearnedLists(db: Database, userId: string, after: KnownDirection | undefined): Promise<KnownDirection[]> {
  const later = after ? Prisma.sql`AND (list_id, reverse) > (${after.listId}::uuid, ${after.reverse})` : Prisma.empty;
  return db.$queryRaw`
    SELECT DISTINCT list_id AS "listId", reverse FROM learned_word
     WHERE user_id = ${userId}::uuid AND list_id IS NOT NULL ${later}
     ORDER BY list_id, reverse LIMIT ${LISTS_AT_ONCE}`;
}

/** A word that has left its list, or whose list the user may not read any more, has no text. */
async function* readListWords(
  { db, pools }: Pick<Services, 'db' | 'pools'>,
  userId: string,
  { listId, reverse }: KnownDirection,
): AsyncGenerator<LearnedWord[]> {
  const list = await findPlayableList(db, { listId, reverse }, userId);
  const words = list && (await wordsOfList(pools, list));
  const origin = { listId, ...(reverse && { reverse: true as const }), ...(list && words && { listName: list.name }) };
  const pages = inPages(PAGE, (after?: MemoryRow) =>
    db.learnedWord.findMany({
      where: { userId, listId, reverse, ...(after && { word: { gt: after.word } }) },
      orderBy: { word: 'asc' },
      take: PAGE,
      omit: ORIGIN,
    }),
  );
  for await (const page of pages)
    yield page.map((row) => {
      const term = words?.terms.get(row.word)?.[0];
      return { ...origin, ...(term && textOf(term.sourceText, term.sourceGloss)), memory: recordOf(row) };
    });
}

const textOf = (prompt: string, gloss: string | null) => ({ prompt, ...(gloss !== null && { gloss }) });

function recordOf({ word: _, due, state, reviewedAt, ...row }: MemoryRow): WordMemoryRecord {
  const times = { due: due.toISOString(), reviewedAt: reviewedAt.toISOString() };
  return { ...row, ...times, state: WORD_STATES[state] ?? 'new' };
}
