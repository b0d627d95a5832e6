// Log lines are captured in memory, so that a test can read what the service has logged.
import { Writable } from 'node:stream';

export function captureLog() {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return {
    /** The destination of a logger, or the `log` of replicas. */
    stream,
    /** @returns all that was logged since the start or the last `clear` */
    text: () => text,
    /** @returns the same line by line, parsed */
    // biome-ignore lint/suspicious/noExplicitAny: a log line has fields of any type
    lines: (): Record<string, any>[] =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    clear: () => {
      text = '';
    },
  };
}
