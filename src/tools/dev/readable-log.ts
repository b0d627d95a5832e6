// Makes the JSON logs of the stack's processes readable on a terminal: one line for each event, and for a request its
// method, path, status and duration.
import { prettyFactory } from 'pino-pretty';

/** Fields that a developer does not need, or that the message contains already. */
const HIDDEN_FIELDS = 'pid,hostname,name,requestId,method,path,status,durationMs,clientAddress,traceId';

const REQUEST = '{if method}{method} {path} {status} in {durationMs} ms{end}';

/**
 * @param colour whether the terminal shows colours
 * @returns a function that formats a line of JSON and returns any other line unchanged
 */
export function createReadableLog(colour: boolean): (line: string) => string {
  const prettify = prettyFactory({
    colorize: colour,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: HIDDEN_FIELDS,
    messageFormat: `{msg} ${REQUEST}`,
  });
  return (line) => (line.startsWith('{') ? prettify(line).trimEnd() : line);
}
