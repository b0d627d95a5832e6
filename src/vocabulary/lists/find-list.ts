// A list for whoever wants to play it. [contract 14]
import { AppError } from '../../errors.ts';
import type { Database } from '../../platform/postgres.ts';
import { findListHead, type ListHead } from './store.ts';

/**
 * @param userId who wants to play it: its owner, or anybody when it is shared
 * @throws AppError LIST_NOT_FOUND
 */
export async function requireList(db: Database, listId: string, userId: string): Promise<ListHead> {
  const list = await findListHead(db, listId, userId);
  if (!list) throw new AppError('LIST_NOT_FOUND');
  return list;
}
