// Decides whether an error means that a store is away, and which one, whichever driver it came through. Such a failure
// becomes a 503, since it passes without a change of the code; any other error becomes a 500.

export type StoreName = 'postgres' | 'redis';

/** What a store's own client has raised: an error of the network does not tell whose connection broke. [contract 17] */
const origins = new WeakMap<object, StoreName>();

/** Notes that the client of `store` has raised `error`. @returns the error */
export function raisedBy<E>(store: StoreName, error: E): E {
  if (error instanceof Error) origins.set(error, store);
  return error;
}

/** The codes of Node.js; they mean an outage only if a store's client has raised the error. */
const NETWORK_CODES = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
/**
 * Prisma: cannot reach, timed out, connection closed, pool timeout, no connection for a transaction. PostgreSQL:
 * connection failures, shutting down, starting up, too many connections, an ended idle session; PgBouncer refuses.
 */
const OUTAGE_CODES = /^(P1001|P1002|P1008|P1017|P2024|P2028|0800[01346]|08P01|57P0[1235]|53300)$/;
/** The SQLSTATEs with which PostgreSQL refuses writes, and the word that logs use for each. */
const POSTGRES_REFUSALS: Record<string, string> = {
  '25006': 'READONLY',
  '53000': 'INSUFFICIENT_RESOURCES',
  '53100': 'DISK_FULL',
  '53200': 'OUT_OF_MEMORY',
  '58030': 'IO_ERROR',
};

/** The SQLSTATEs of one cancelled statement or transaction: it took, waited or idled too long, or was in a deadlock. */
const CANCELLED_CODES = /^(57014|55P03|25P03|25P04|40P01)$/;
/** The kinds by which Prisma's driver adapter tells a failed connection, as its type `MappedError` lists them. */
const OUTAGE_KINDS = /^(ConnectionClosed|SocketTimeout|DatabaseNotReachable|TooManyConnections)$/;
/** The codes with which replies of Redis begin, and those of them with which it refuses writes. */
const REDIS_CODES = /^(LOADING|BUSY|OOM|READONLY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|NOREPLICAS|MISCONF)\b/;
const REDIS_REFUSALS = /^(NOREPLICAS|OOM|READONLY|MISCONF)\b/;

/** What ioredis and BullMQ tell by nothing but a message. Each is a 503, since it passes by itself. [contract 1, 8] */
const REDIS_MESSAGES = [
  // A command without a reply in time, which `withTimeout` names alike.
  'Command timed out',
  // A command whose connection breaks, or is closed before it is sent; BullMQ has the second one too.
  'Command aborted due to connection close',
  'Connection is closed',
  "Stream isn't writeable",
  // On a cluster: no node answers, or a slot is on its way for too long.
  'Too many Cluster redirections',
  'Failed to refresh slots',
  'None of startup nodes',
];

/** Those of pg: a connection that breaks, or was broken before; no connection, or no result, in time. */
const POSTGRES_MESSAGES = [
  'Connection terminated',
  'Client has encountered a connection error',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Query read timeout',
];

/** @returns whether `error`, or a cause of it, means that a store is away or has cancelled this statement */
export const isOutage = (error: unknown) => isCancelled(error) || isUnreachable(error);

/** @returns whether the next request would fail too, since a store can't be reached or refuses all requests */
export function isUnreachable(error: unknown): boolean {
  if (isCancelled(error)) return false;
  return causesOf(error).some((cause) => {
    const { code = '', kind = '', message = '' } = cause;
    return (
      OUTAGE_CODES.test(code) ||
      (NETWORK_CODES.test(code) && origins.has(cause)) ||
      Object.hasOwn(POSTGRES_REFUSALS, code) ||
      OUTAGE_KINDS.test(kind) ||
      POSTGRES_MESSAGES.some((known) => message.includes(known)) ||
      isOfRedis(message)
    );
  });
}

/** @returns the store that is away; undefined if `error` is no outage */
export function storeOf(error: unknown): StoreName | undefined {
  if (!isOutage(error)) return undefined;
  const isRedis = (cause: Cause) => origins.get(cause) === 'redis' || isOfRedis(cause.message ?? '');
  return causesOf(error).some(isRedis) ? 'redis' : 'postgres';
}

/** @returns whether a store that answers has cancelled this statement, for example since it waited for a lock */
export function isCancelled(error: unknown): boolean {
  return causesOf(error).some(({ code = '' }) => CANCELLED_CODES.test(code));
}

/** @returns why a store refuses writes, as one word, such as `OOM` or `DISK_FULL`; undefined for any other error */
export function refusalOf(error: unknown): string | undefined {
  return causesOf(error)
    .map(({ code = '', message = '' }) => POSTGRES_REFUSALS[code] ?? REDIS_REFUSALS.exec(message)?.[0])
    .find(Boolean);
}

function isOfRedis(message: string): boolean {
  return REDIS_CODES.test(message) || REDIS_MESSAGES.some((known) => message.includes(known));
}

/** Bounds a wait where a library takes no signal. @throws Error "Command timed out", which counts as an outage */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('Command timed out')), timeoutMs);
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** An error of a driver, with the fields in which the drivers keep its kind and its causes. */
interface Cause {
  code?: string;
  kind?: string;
  message?: string;
  cause?: unknown;
  /** The errors of an AggregateError. */
  errors?: unknown;
  meta?: { driverAdapterError?: unknown };
  /** The errors of single commands, where ioredis refuses a MULTI. */
  previousErrors?: unknown;
}

/** @returns the error and its causes */
function causesOf(error: unknown, depth = 0): Cause[] {
  if (!error || depth === 5) return [];
  const { cause, errors, meta, previousErrors } = error as Cause;
  const further = [cause ?? meta?.driverAdapterError, errors, previousErrors].flat();
  return [error as Cause, ...further.flatMap((next) => causesOf(next, depth + 1))];
}
