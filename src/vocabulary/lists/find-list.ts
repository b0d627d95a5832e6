// Finds a list for a quiz or a game. [contract 14]
import { AppError } from '../../errors.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { findPlayableList, type PlayableList } from './store.ts';

/**
 * @param userId the user who wants to play it: its owner, or anybody if it is shared
 * @throws AppError LIST_NOT_FOUND
 */
export async function requireList(db: Database, listId: string, userId: string): Promise<PlayableList> {
  const list = await findPlayableList(db, listId, userId);
  if (!list) throw new AppError('LIST_NOT_FOUND');
  return list;
}
