// The processes of the stack write their log as JSON, for machines. On a terminal a person reads it:
// one line an event, a request with what was asked, how it ended and how long it took.
import { prettyFactory } from 'pino-pretty';

/** What a person beside the running service has no use for, or sees in the line's own words. */
const LEFT_OUT = 'pid,hostname,name,requestId,method,path,status,durationMs,clientAddress,traceId';

const REQUEST = '{if method}{method} {path} {status} in {durationMs} ms{end}';

/**
 * @param colour whether the reader's terminal shows colours
 * @returns what makes a line of JSON readable; any other line stays as it is
 */
export function createReadableLog(colour: boolean): (line: string) => string {
  const prettify = prettyFactory({
    colorize: colour,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: LEFT_OUT,
    messageFormat: `{msg} ${REQUEST}`,
  });
  return (line) => (line.startsWith('{') ? prettify(line).trimEnd() : line);
}
