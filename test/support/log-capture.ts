// Log lines are captured in memory, so that a test can read what the service has logged.
import { Writable } from 'node:stream';

export interface LogCapture {
  /** The destination of a logger, or the `log` of replicas. */
  stream: Writable;
  /** @returns all that was logged since the start or the last `clear` */
  text(): string;
  /** @returns the same line by line, parsed */
  // biome-ignore lint/suspicious/noExplicitAny: a log line has fields of any type
  lines(): Record<string, any>[];
  clear(): void;
}

export function captureLog(): LogCapture {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return {
    stream,
    text: () => text,
    lines: () =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    clear: () => {
      text = '';
    },
  };
}
