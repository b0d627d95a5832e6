// Why an import can't be done, in a sentence for the person at the terminal.
import { isOutage } from '../../platform/outage.ts';

export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** Undefined database, table and column: nobody has migrated it. */
const NOT_READY = ['3D000', '42P01', '42703'];

/** @returns `error` as an ImportError if it says that the database isn't there or isn't ready */
export function explain(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (NOT_READY.includes(code))
    return new ImportError('The database has no tables yet: run npm run db:deploy first.');
  if (code.startsWith('28')) return new ImportError('PostgreSQL refused the login.');
  if (isOutage(error))
    return new ImportError(
      'PostgreSQL could not be reached, or went away: try again, and it goes on.',
    );
  return error;
}
