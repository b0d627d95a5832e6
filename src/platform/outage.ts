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
  // Prisma: cannot reach, timed out, connection closed, pool timeout.
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  // PostgreSQL: connection failures, shutting down, starting up, too many connections.
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

const MESSAGES =
  /^(LOADING|BUSY|OOM|READONLY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|NOREPLICAS|MISCONF)\b|command timed out|connection is closed|max retries per request|stream isn't writeable|failed to refresh slots|none of startup nodes|connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error|can't reach database server|server has closed the connection|connection ended|timeout expired/i;

/** @returns whether `error`, or anything that caused it, says that a store is away. */
export function isOutage(error: unknown): boolean {
  for (let cause = error, depth = 0; cause && depth < 5; depth++) {
    const {
      code,
      message,
      cause: next,
      errors,
      meta,
    } = cause as {
      code?: string;
      message?: string;
      cause?: unknown;
      errors?: unknown[];
      meta?: { driverAdapterError?: unknown };
    };
    if (code && NETWORK_CODES.has(code)) return true;
    if (message && MESSAGES.test(message)) return true;
    if (Array.isArray(errors) && errors.some(isOutage)) return true;
    cause = next ?? meta?.driverAdapterError;
  }
  return false;
}
