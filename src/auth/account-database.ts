// The database as better-auth uses it. It would hide an outage here and answer 500 there; each
// failure is told apart before better-auth sees it.
import { APIError } from 'better-auth';
import type { Database } from '../platform/postgres.ts';
import { noteOutage } from './outages.ts';

/** PostgreSQL's code where another row has the same key. */
const UNIQUE_VIOLATION = '23505';
/** Class 22 of PostgreSQL's error codes: a value that no column can hold, a zero character, say. */
const DATA_EXCEPTION = /^22/;

/** @returns the same database; its errors are noted, an input's fault is a 400, a lost race a 409 */
export function accountDatabase(db: Database) {
  return db.$extends({
    query: {
      async $allOperations({ args, query }) {
        try {
          return await noteOutage(() => query(args));
        } catch (error) {
          const code = databaseCodeOf(error);
          if (DATA_EXCEPTION.test(code))
            throw new APIError('BAD_REQUEST', { code: 'INVALID_INPUT', message: 'Invalid input' });
          // It has looked before it wrote: the same was asked for twice at once.
          if (code === UNIQUE_VIOLATION)
            throw new APIError('CONFLICT', {
              code: 'ALREADY_EXISTS',
              message: 'The same request is under way, or done already',
            });
          throw error;
        }
      },
    },
  });
}

function databaseCodeOf(error: unknown): string {
  const { meta } = error as {
    meta?: { driverAdapterError?: { cause?: { originalCode?: string } } };
  };
  return meta?.driverAdapterError?.cause?.originalCode ?? '';
}
