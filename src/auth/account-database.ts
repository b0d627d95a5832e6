// The database as better-auth uses it. It would hide an outage here and answer 500 there; each
// failure is told apart before better-auth sees it.
import { APIError } from 'better-auth';
import type { Database } from '../platform/postgres.ts';
import { noteOutage } from './outages.ts';

/** Class 22 of PostgreSQL's error codes: a value that no column can hold, a zero character, say. */
const DATA_EXCEPTION = /^22/;

/** @returns the same database; its errors are noted, and the fault of an input is a 400 */
export function accountDatabase(db: Database) {
  return db.$extends({
    query: {
      async $allOperations({ args, query }) {
        try {
          return await noteOutage(() => query(args));
        } catch (error) {
          if (!DATA_EXCEPTION.test(databaseCodeOf(error))) throw error;
          throw new APIError('BAD_REQUEST', { code: 'INVALID_INPUT', message: 'Invalid input' });
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
