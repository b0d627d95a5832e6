// Finds what a code leads to. Whoever guesses codes is counted for the address, as with a session. [contract 17, 22]
import { AppError } from '../../errors.ts';
import type { CodeMissDeps } from '../../lobby/code-misses.ts';
import type { Database } from '../../platform/postgres/postgres.ts';

/** Finds what has a code; null where the code leads nowhere now. */
type Find<T> = (db: Database, code: string) => Promise<T | null>;

/**
 * @param request.code as the guest wrote it
 * @param countMiss counts a wrong code further than as a wrong code of the address
 * @throws AppError LOBBY_NOT_FOUND for a code that leads nowhere now; RATE_LIMITED after too many of them
 */
export async function requireFound<T>(
  { db, codeMisses }: CodeMissDeps & { db: Database },
  find: Find<T>,
  { code, address }: { code: string; address: string },
  countMiss?: () => Promise<unknown>,
): Promise<T> {
  await codeMisses.check({ address });
  const found = await find(db, code);
  if (found) return found;
  await codeMisses.count({ address });
  await countMiss?.();
  throw new AppError('LOBBY_NOT_FOUND');
}
