// Structured logs. What is secret is kept out here, once, so that no caller can leak it by logging a
// whole object, an address or a driver's error.
import { type Logger as PinoLogger, pino } from 'pino';

export type Logger = PinoLogger;

const SECRET_KEYS = [
  'cookie',
  'set-cookie',
  'authorization',
  'password',
  'newPassword',
  'currentPassword',
  'token',
  'accessToken',
  'refreshToken',
  'idToken',
  'secret',
  'html',
  'text',
];
const quoted = (key: string) => (/^[a-zA-Z_]\w*$/.test(key) ? `.${key}` : `["${key}"]`);

/** Where secrets may stand in a logged object, up to three levels deep. */
const REDACTED_PATHS = SECRET_KEYS.flatMap((key) =>
  ['', '*', '*.*'].map((parent) => `${parent}${quoted(key)}`.replace(/^\./, '')),
);

const TOKEN_IN_PATH = /(\/reset-password\/)[^/]+/;

/**
 * @returns the part of an address that may be logged: without its query, and without the one token
 * that better-auth puts into a path
 */
export function loggablePath(url: string): string {
  return (url.split(/[?#]/, 1)[0] ?? '').replace(TOKEN_IN_PATH, '$1[redacted]');
}

const serializers = {
  req: ({ method, url = '' }: { method: string; url?: string }) => ({
    method,
    path: loggablePath(url),
  }),
  /** A driver's error also carries its command's arguments, tokens and answers among them. */
  err: (error: unknown) => {
    if (!(error instanceof Error)) return { message: String(error) };
    const { type, message, stack } = pino.stdSerializers.err(error);
    const { code } = error as { code?: unknown };
    return { type, message, stack, ...(code === undefined ? {} : { code }) };
  },
};

/** Lines are written together, a system call for each would cost more than making them. */
const BUFFER_LENGTH = 4096;
/** How old a line gets at most before it is written. */
const FLUSH_INTERVAL_MS = 100;

/**
 * @param level the least severe level that is written
 * @param name which process writes: `api` or `worker`
 * @param destination standard output unless given, to which lines go a moment later, all of them
 *   when the process exits; a kill loses those of its last tenth of a second
 */
export function createLogger(
  level: string,
  name: string,
  destination?: NodeJS.WritableStream,
): Logger {
  const options = {
    level,
    name,
    serializers,
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
    timestamp,
  };
  return pino(options, destination ?? bufferedOutput());
}

/** Lines are gathered here, since pino's output would measure each. */
function bufferedOutput() {
  const output = pino.destination({ dest: 1, minLength: BUFFER_LENGTH, sync: true });
  let lines = '';
  function passOn(): void {
    if (lines !== '') output.write(lines);
    lines = '';
  }
  // `flushSync` of the output writes again and again, for ever, where the reader is gone: a process that
  // nobody listens to could not end. `flush` writes at once too, and upon EPIPE pino says no more.
  function flushSync(): void {
    passOn();
    output.flush();
  }
  setInterval(flushSync, FLUSH_INTERVAL_MS).unref();
  process.once('exit', flushSync);
  return {
    write(line: string): void {
      lines += line;
      if (lines.length >= BUFFER_LENGTH) passOn();
    },
    flushSync,
  };
}

let writtenAtMs = 0;
let written = '';

/** As pino's own, which writes the time anew for each of a millisecond's lines. */
function timestamp(): string {
  const nowMs = Date.now();
  if (nowMs !== writtenAtMs) written = pino.stdTimeFunctions.isoTime();
  writtenAtMs = nowMs;
  return written;
}
