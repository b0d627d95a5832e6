// The database adapter that better-auth gets. better-auth hides some outages and turns others into a 500, so each
// failure is classified here before better-auth sees it.
import { APIError } from 'better-auth/api';
import type { Database } from '../platform/postgres/postgres.ts';
import { noteOutage } from './store-failures.ts';

/** PostgreSQL's error code of a unique violation. */
const UNIQUE_VIOLATION = '23505';
/** Class 22 of PostgreSQL's error codes: a value that no column can hold, such as a zero character. */
const DATA_EXCEPTION = /^22/;

/** @returns the same adapter; it records outages, and turns invalid values into a 400 and unique violations into a 409 */
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
          // better-auth has checked before it wrote, so that two equal requests came at the same time.
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
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: { originalCode?: string } } } };
  return meta?.driverAdapterError?.cause?.originalCode ?? '';
}
