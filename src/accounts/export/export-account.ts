// Exports all that is stored of a user, as one JSON document that is read and sent in parts. No statement holds a
// connection while the client takes what was read, and memory doesn't grow with the account. [contract 22]
import { readAttempts, readOwnAssignments } from '../../assignments/export-attempts.ts';
import { AppError } from '../../errors.ts';
import { readLearnedWords } from '../../learning/learned-words.ts';
import { findGame, findGameIds } from '../../match/finished-games.ts';
import { jsonOf } from '../../match/result-formats.ts';
import { arrayOf, arrayOfTexts, objectOf } from '../../platform/json-parts.ts';
import { type Database, inPages, type PostgresPool } from '../../platform/postgres/postgres.ts';
import type { Services } from '../../services.ts';
import { findLists, findListText } from '../../vocabulary/lists/store.ts';
import * as stored from './store.ts';

/** The number of games that are looked up at once; each of them is then read by itself. */
const GAMES_AT_ONCE = 200;

/**
 * @returns the parts of an AccountExport as JSON
 * @throws AppError UNAUTHENTICATED before the first part if the account was deleted meanwhile; an outage at any part
 */
export async function* exportAccount(
  { db, postgres, pools, attempts }: Pick<Services, 'attempts' | 'db' | 'pools' | 'postgres'>,
  { id: userId, sessionId }: { id: string; sessionId: string },
): AsyncGenerator<string> {
  const account = await stored.findAccount(db, userId);
  if (!account) throw new AppError('UNAUTHENTICATED');
  yield* objectOf(
    {},
    {
      account: objectOf(account, {
        trustedDevices: arrayOf(stored.readTrustedDevices(db, userId)),
        formerGuests: arrayOf(stored.readFormerGuests(db, userId)),
        lobbies: arrayOf(stored.readLobbies(db, userId)),
        removedFrom: arrayOf(stored.readRemovals(db, userId)),
        reviewCounts: arrayOf(stored.readReviewCounts(db, userId)),
      }),
      sessions: arrayOf(stored.readSessions(db, userId, sessionId)),
      lists: arrayOfTexts(readLists(postgres, userId)),
      games: arrayOfTexts(readGames(db, userId)),
      learnedWords: arrayOf(readLearnedWords({ db, pools }, userId)),
      assignments: arrayOf(readOwnAssignments(db, userId)),
      attempts: arrayOf(readAttempts({ db, attempts }, userId)),
    },
  );
}

async function* readLists(postgres: PostgresPool, userId: string): AsyncGenerator<readonly string[]> {
  for (const { listId } of await findLists(postgres, userId)) {
    const list = await findListText(postgres, listId, userId);
    if (list !== null) yield [list];
  }
}

/** Each game is as `GET /api/v1/games/:gameId` has it. [contract 13, 19] */
async function* readGames(db: Database, userId: string): AsyncGenerator<AsyncIterable<string>> {
  const pages = inPages(GAMES_AT_ONCE, (after?: { id: string; finishedAt: Date }) => {
    const before = after && ([after.finishedAt.toISOString(), after.id] as [string, string]);
    return findGameIds(db, userId, { limit: GAMES_AT_ONCE, before });
  });
  for await (const games of pages)
    for (const { id } of games) {
      const game = await findGame(db, id, userId);
      if (game) yield jsonOf(game);
    }
}
