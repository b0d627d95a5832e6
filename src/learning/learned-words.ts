// Reads all that is stored of a user's learned words, some at a time, with their texts. A word of a list refers to the
// text in the list by a hash, so that its text is read from there. [contract 13, 22]
import { AppError } from '../errors.ts';
import { Prisma, type LearnedWord as Stored } from '../generated/prisma/client.ts';
import { type Database, inPages } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { findPlayableList } from '../vocabulary/lists/store.ts';
import { type KnownDirection, wordsName } from '../vocabulary/rules.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { type LearnedWord, WORD_STATES, type WordMemoryRecord } from './schema.ts';
import { wordsOfPool } from './word-ids.ts';

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

type DeckWordRow = MemoryRow &
  Omit<Deck, 'difficulty'> & { level: Deck['difficulty'] } & { prompt: string; gloss: string | null };

/** A word that has left its deck has its normalised text alone. */
async function* readDeckWords(db: Database, userId: string): AsyncGenerator<LearnedWord[]> {
  const pages = inPages(PAGE, (after?: DeckWordRow) => {
    const later = after ? Prisma.sql`AND word > ${after.word}::uuid` : Prisma.empty;
    return db.$queryRaw<DeckWordRow[]>`
      SELECT w.word, d.source_language AS "sourceLanguage", d.target_language AS "targetLanguage",
             d.pos, d.difficulty AS level, coalesce(t.source_text, w.source_key) AS prompt, w.gloss,
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
    yield page.map(({ sourceLanguage, targetLanguage, pos, level, prompt, gloss, ...memory }) => ({
      sourceLanguage,
      targetLanguage,
      pos,
      difficulty: level,
      prompt,
      ...(gloss !== null && { gloss }),
      memory: recordOf(memory),
    }));
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
  deps: Pick<Services, 'db' | 'pools'>,
  userId: string,
  wanted: KnownDirection,
): AsyncGenerator<LearnedWord[]> {
  const list = await findTexts(deps, userId, wanted);
  const pages = inPages(PAGE, (after?: MemoryRow) =>
    deps.db.learnedWord.findMany({
      where: { userId, ...wanted, ...(after && { word: { gt: after.word } }) },
      orderBy: { word: 'asc' },
      take: PAGE,
      omit: ORIGIN,
    }),
  );
  for await (const page of pages)
    yield page.map((row) => ({
      listId: wanted.listId,
      ...(wanted.reverse && { reverse: true as const }),
      ...(list && { listName: list.name }),
      ...list?.textOf(row.word),
      memory: recordOf(row),
    }));
}

/** @returns the name of the list and the texts of its words; null if the user may not read it */
async function findTexts({ db, pools }: Pick<Services, 'db' | 'pools'>, userId: string, wanted: KnownDirection) {
  const list = await findPlayableList(db, wanted, userId);
  if (!list) return null;
  try {
    const { terms } = wordsOfPool(wordsName(wanted), await pools.pool(list));
    return { name: list.name, textOf: (word: string) => textOf(terms.get(word)?.[0]) };
  } catch (error) {
    // The list was deleted meanwhile, and its words with it.
    if (error instanceof AppError && error.code === 'LIST_NOT_FOUND') return null;
    throw error;
  }
}

function textOf(term: { sourceText: string; sourceGloss: string | null } | undefined) {
  if (!term) return {};
  return { prompt: term.sourceText, ...(term.sourceGloss !== null && { gloss: term.sourceGloss }) };
}

function recordOf({ word: _, due, state, reviewedAt, ...row }: MemoryRow): WordMemoryRecord {
  const times = { due: due.toISOString(), reviewedAt: reviewedAt.toISOString() };
  return { ...row, ...times, state: WORD_STATES[state] ?? 'new' };
}
