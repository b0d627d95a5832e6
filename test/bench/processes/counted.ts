// Runs a program, and counts its requests to the stores.
import { tracingChannel } from 'node:diagnostics_channel';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { answers } from './asked.ts';

export interface Counts {
  /** SQL statements, including those that begin and end transactions. */
  statements: number;
  /** Redis commands; a script counts as one. */
  commands: number;
}

const counts: Counts = { statements: 0, commands: 0 };
answers.set('counts', () => counts);

const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: unknown[]) {
    counts.statements++;
    return query.apply(this, args);
  },
});
const nothing = () => {};
tracingChannel('ioredis:command').subscribe({
  start: () => void counts.commands++,
  end: nothing,
  asyncStart: nothing,
  asyncEnd: nothing,
  error: nothing,
});

const [file = ''] = process.argv.splice(2, 1);
await import(pathToFileURL(resolve(file)).href);
