// Structured logs. No caller can leak a secret by logging a whole object, an address or a driver's error.
import { type Logger as PinoLogger, pino } from 'pino';

export type Logger = PinoLogger;

/** The values of these keys are never logged. */
const SECRET_KEYS =
  /^(cookie|set-cookie|authorization|password|(new|current)Password|token|(access|refresh|id)Token|secret|html|text)$/;
/** How deep in a logged object secrets are looked for; what lies deeper is logged as it is. */
const REDACTED_DEPTH = 3;

/** Pino's own `redact` takes 7 µs for a request's child logger alone. A class's instance is left to its serializer. */
function redact(value: unknown, depth = REDACTED_DEPTH): unknown {
  if (depth === 0 || !isPlain(value)) return value;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, SECRET_KEYS.test(key) ? '[redacted]' : redact(inner, depth - 1)]),
  );
}

function isPlain(value: unknown): value is object {
  if (value === null || typeof value !== 'object') return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Array.isArray(value);
}

const TOKEN_IN_PATH = /(\/reset-password\/)[^/]+/;

/** @returns the address without its query and without the token that better-auth puts into one path */
export function loggablePath(url: string): string {
  return (url.split(/[?#]/, 1)[0] ?? '').replace(TOKEN_IN_PATH, '$1[redacted]');
}

const serializers = {
  req: ({ method, url = '' }: { method: string; url?: string }) => ({ method, path: loggablePath(url) }),
  /** A driver's error also has the arguments of its command, which may be tokens or answers; they are not logged. */
  err: (error: unknown) => {
    if (!(error instanceof Error)) return { message: String(error) };
    const { type, message, stack } = pino.stdSerializers.err(error);
    const { code } = error as { code?: unknown };
    return { type, message, stack, ...(code === undefined ? {} : { code }) };
  },
};

/** Lines are written when this many bytes have gathered, since a system call for each line costs more than the line. */
const BUFFER_LENGTH = 4096;
const FLUSH_INTERVAL_MS = 100;

let [timeMs, timeText] = [0, ''];

/** A busy process writes several lines a millisecond. */
function timeField(): string {
  const nowMs = Date.now();
  if (nowMs !== timeMs) timeText = `,"time":"${new Date(nowMs).toISOString()}"`;
  timeMs = nowMs;
  return timeText;
}

/** All loggers of the process share it. It is flushed at the exit; SIGKILL loses the lines of the last 100 ms. */
let standardOutput: { write(line: string): void } | undefined;

function openStandardOutput() {
  const output = pino.destination({ dest: 1, minLength: BUFFER_LENGTH, periodicFlush: FLUSH_INTERVAL_MS, sync: true });
  process.once('exit', () => output.flush());
  // The object has no `flushSync`, which pino would call after a fatal line: it never returns once the reader of the
  // pipe is gone, and the process could not exit.
  return { write: (line: string): void => void output.write(line) };
}

/** @param name the process: `api` or `worker` @param destination standard output by default */
export function createLogger(level: string, name: string, destination?: NodeJS.WritableStream): Logger {
  const formatters = { log: (line: object) => redact(line) as Record<string, unknown> };
  if (!destination) standardOutput ??= openStandardOutput();
  return pino({ level, name, serializers, formatters, timestamp: timeField }, destination ?? standardOutput);
}
