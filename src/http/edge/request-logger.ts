// A request's own logger, made when it first writes: nearly every request ends without a line but
// that of request-log.ts, which needs none, and making one costs more than that line.
import type { FastifyBaseLogger } from 'fastify';

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

class RequestLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: object;
  #own: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: object) {
    this.#parent = parent;
    this.#bindings = bindings;
  }
  #logger(): FastifyBaseLogger {
    this.#own ??= this.#parent.child(this.#bindings);
    return this.#own;
  }
  get level() {
    return this.#parent.level;
  }
  child(...args: Parameters<FastifyBaseLogger['child']>) {
    return this.#logger().child(...args);
  }
  silent() {}
  trace(...line: unknown[]) {
    this.#write('trace', line);
  }
  debug(...line: unknown[]) {
    this.#write('debug', line);
  }
  info(...line: unknown[]) {
    this.#write('info', line);
  }
  warn(...line: unknown[]) {
    this.#write('warn', line);
  }
  error(...line: unknown[]) {
    this.#write('error', line);
  }
  fatal(...line: unknown[]) {
    this.#write('fatal', line);
  }
  #write(level: Level, line: unknown[]) {
    this.#logger()[level](...(line as [unknown, string]));
  }
}

/** For Fastify's `childLoggerFactory`. */
export function requestLogger(parent: FastifyBaseLogger, bindings: object): FastifyBaseLogger {
  return new RequestLogger(parent, bindings) as FastifyBaseLogger;
}
