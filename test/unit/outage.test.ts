// A store that is away, or refuses, is 503 and not 500, however its driver wraps what it says. [contract 1]
import { expect, test } from 'vitest';
import { isOutage, refusalOf } from '../../src/platform/outage.ts';

/** As Prisma hands on what PostgreSQL said. */
const prisma = (originalCode: string) =>
  Object.assign(new Error('Invalid `prisma.$queryRaw()` invocation'), {
    code: 'P2010',
    meta: { driverAdapterError: new Error('x', { cause: { originalCode, code: originalCode } }) },
  });

test.each([
  'CLUSTERDOWN Hash slot not served',
  'Too many Cluster redirections. Last error: ReplyError: CLUSTERDOWN The cluster is down',
  'NOREPLICAS Not enough good replicas to write.',
  "OOM command not allowed when used memory > 'maxmemory'. script: 1f, on @user_script:1.",
  // Of Prisma's transactions, when the connection breaks in the middle of one.
  'ConnectionClosed',
])('%s', (message) => {
  expect(isOutage(new Error(message))).toBe(true);
  expect(isOutage(new Error('the round was not resolved', { cause: new Error(message) }))).toBe(
    true,
  );
});

test.each([
  ['57014', 'a statement that the server has given up'],
  ['55P03', 'a lock that it has given up'],
  ['25P03', 'a transaction that it has ended'],
  ['40P01', 'one of two that have waited for each other'],
  ['25006', 'a database that is read-only'],
  ['53100', 'a disk that is full'],
])('PostgreSQL’s %s: %s', (code) => {
  expect(isOutage(prisma(code))).toBe(true);
  expect(isOutage(Object.assign(new Error('from the driver itself'), { code }))).toBe(true);
});

test('a transaction for which no connection was free in time', () => {
  const error = new Error(
    'Transaction API error: Unable to start a transaction in the given time.',
  );
  expect(isOutage(Object.assign(error, { code: 'P2028' }))).toBe(true);
});

test('a bug is none', () => {
  for (const code of ['42703', '23505', '22012']) expect(isOutage(prisma(code))).toBe(false);
  expect(isOutage(new TypeError('x is not a function'))).toBe(false);
  expect(isOutage(new Error('WRONGTYPE Operation against a key'))).toBe(false);
  expect(isOutage(undefined)).toBe(false);
});

test('why a store refuses writes is told in its own word', () => {
  expect(refusalOf(new Error('NOREPLICAS Not enough good replicas to write.'))).toBe('NOREPLICAS');
  expect(refusalOf(prisma('25006'))).toBe('READONLY');
  const queued = new Error('MISCONF Redis is configured to save RDB snapshots');
  const aborted = new Error('EXECABORT Transaction discarded because of previous errors.');
  expect(refusalOf(Object.assign(aborted, { previousErrors: [queued] }))).toBe('MISCONF');
  expect(isOutage(aborted)).toBe(true);
  expect(refusalOf(new Error('Connection is closed.'))).toBeUndefined();
});
