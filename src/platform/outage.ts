// Tells a store that cannot be reached from a bug, whatever driver the error came through: the
// first is a 503 that heals by itself, the second a 500.

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // Prisma: cannot reach, timed out, connection closed, pool timeout, no connection for a transaction.
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  // PostgreSQL: connection failures, shutting down, starting up, too many connections; PgBouncer's
  // refusal of a connection.
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '08P01',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // It gave up: a statement, a lock, a transaction, a session that took too long.
  '57014',
  '55P03',
  '25P03',
  '25P04',
  '57P05',
  // Two have waited for each other, and this one was undone: whoever asks again gets through.
  '40P01',
  // It answers, and takes no writes: read-only, disk full, out of memory.
  '25006',
  '53100',
  '53200',
]);

const MESSAGES =
  /^(LOADING|BUSY|OOM|READONLY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|NOREPLICAS|MISCONF)\b|too many cluster redirections|command timed out|connection is closed|max retries per request|stream isn't writeable|failed to refresh slots|none of startup nodes|connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error|can't reach database server|server has closed the connection|connection ended|timeout expired|^(ConnectionClosed|SocketTimeout|DatabaseNotReachable|TooManyConnections)$/i;

/** What a Redis says that answers and takes no writes. */
const REDIS_REFUSALS = /^(NOREPLICAS|OOM|READONLY|MISCONF)\b/;

/** @returns whether `error`, or anything that caused it, says that a store is away. */
export function isOutage(error: unknown): boolean {
  return causesOf(error).some(
    ({ code = '', message = '' }) => NETWORK_CODES.has(code) || MESSAGES.test(message),
  );
}

/**
 * @returns why a store that answers took no write, in its own word (`NOREPLICAS`, `OOM`, `READONLY`,
 *   `MISCONF`), or undefined when `error` is another one
 */
export function refusalOf(error: unknown): string | undefined {
  for (const { code, message = '' } of causesOf(error)) {
    if (code === '25006') return 'READONLY';
    const [refusal] = REDIS_REFUSALS.exec(message) ?? [];
    if (refusal) return refusal;
  }
  return undefined;
}

interface Cause {
  code?: string;
  message?: string;
}

/** An error and what caused it, in the ways in which the drivers say so. */
function causesOf(error: unknown, depth = 0): Cause[] {
  if (!error || depth === 5) return [];
  const { cause, errors, meta, previousErrors } = error as {
    cause?: unknown;
    /** Of an AggregateError. */
    errors?: unknown;
    /** Prisma's. */
    meta?: { driverAdapterError?: unknown };
    /** Of ioredis, when MULTI is refused since one of its commands was. */
    previousErrors?: unknown;
  };
  const further = [cause ?? meta?.driverAdapterError, errors, previousErrors].flat();
  return [error as Cause, ...further.flatMap((next) => causesOf(next, depth + 1))];
}
