// Errors of an import with a message for the operator.
import { isOutage, raisedBy } from '../../platform/outages/outage.ts';

export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** SQLSTATEs of a missing database, table and column: the migrations haven't run. */
const NOT_READY = ['3D000', '42P01', '42703'];

/**
 * @param error what the use of the connection to PostgreSQL has thrown
 * @returns an ImportError if PostgreSQL can't be reached or isn't migrated; otherwise `error`
 */
export function explain(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (NOT_READY.includes(code)) return new ImportError('The database has no tables yet: run npm run db:deploy first.');
  if (code.startsWith('28')) return new ImportError('PostgreSQL refused the login.');
  if (isOutage(raisedBy('postgres', error)))
    return new ImportError(
      'PostgreSQL could not be reached, or the connection broke: nothing was imported. Run the command again.',
    );
  return error;
}
