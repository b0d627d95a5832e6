// An unavailable store causes a 503 rather than a 500, whatever form its driver's error has. [contract 1]
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import { expect, test } from 'vitest';
import { isOutage, isUnreachable, raisedBy, refusalOf, storeOf } from '../../src/platform/outages/outage.ts';

/** PostgreSQL's error as Prisma wraps it. */
const prisma = (originalCode: string) =>
  Object.assign(new Error('Invalid `prisma.$queryRaw()` invocation'), {
    code: 'P2010',
    meta: { driverAdapterError: new Error('x', { cause: { originalCode, code: originalCode } }) },
  });

/** An error of Node.js, whatever connection it is of. */
const broken = (message: string, code: string) => Object.assign(new Error(message), { code });

/** Of PostgreSQL: a cancelled statement, a lock and a transaction that waited too long, and a deadlock. */
const CANCELLED = ['57014', '55P03', '25P03', '40P01'];

test.each([
  'CLUSTERDOWN Hash slot not served',
  'Too many Cluster redirections. Last error: ReplyError: CLUSTERDOWN The cluster is down',
  'NOREPLICAS Not enough good replicas to write.',
  "OOM command not allowed when used memory > 'maxmemory'. script: 1f, on @user_script:1.",
])('an error %s is an outage', (message) => {
  expect(isOutage(new Error(message))).toBe(true);
  expect(isOutage(new Error('the round was not resolved', { cause: new Error(message) }))).toBe(true);
});

// The others are a read-only database, a full disk, and one that can't be read or written.
test.each([...CANCELLED, '25006', '53100', '58030'])('PostgreSQL’s error %s is an outage', (code) => {
  expect(isOutage(prisma(code))).toBe(true);
  expect(isOutage(broken('from the driver itself', code))).toBe(true);
});

test('a statement that PostgreSQL has cancelled does not mean that PostgreSQL is unreachable', () => {
  for (const code of CANCELLED) expect(isUnreachable(prisma(code))).toBe(false);
  for (const code of ['57P01', '53100', '08006']) expect(isUnreachable(prisma(code))).toBe(true);
  expect(isUnreachable(new Error('Connection is closed.'))).toBe(true);
});

test('a transaction whose connection has broken, as Prisma’s adapter tells it, is an outage', () => {
  expect(isOutage(new DriverAdapterError({ kind: 'ConnectionClosed' }))).toBe(true);
  expect(isOutage(new DriverAdapterError({ kind: 'TransactionWriteConflict' }))).toBe(false);
});

test('a transaction that gets no connection in time is an outage', () => {
  const message = 'Transaction API error: Unable to start a transaction in the given time.';
  expect(isOutage(broken(message, 'P2028'))).toBe(true);
});

test('a defect is no outage', () => {
  for (const code of ['42703', '23505', '22012']) expect(isOutage(prisma(code))).toBe(false);
  expect(isOutage(new TypeError('x is not a function'))).toBe(false);
  expect(isOutage(new Error('WRONGTYPE Operation against a key'))).toBe(false);
  expect(isOutage(undefined)).toBe(false);
});

test('the reason why a store refuses writes is one word', () => {
  expect(refusalOf(new Error('NOREPLICAS Not enough good replicas to write.'))).toBe('NOREPLICAS');
  expect(refusalOf(prisma('25006'))).toBe('READONLY');
  expect(refusalOf(prisma('53100'))).toBe('DISK_FULL');
  expect(refusalOf(prisma('53200'))).toBe('OUT_OF_MEMORY');
  expect(refusalOf(prisma('53300'))).toBeUndefined();
  const queued = new Error('MISCONF Redis is configured to save RDB snapshots');
  const aborted = new Error('EXECABORT Transaction discarded because of previous errors.');
  expect(refusalOf(Object.assign(aborted, { previousErrors: [queued] }))).toBe('MISCONF');
  expect(isOutage(aborted)).toBe(true);
  expect(refusalOf(new Error('Connection is closed.'))).toBeUndefined();
});

test.each([
  ['redis', new Error('Command timed out')],
  ['redis', new Error('the round was not resolved', { cause: new Error('Connection is closed.') })],
  ['redis', new Error('READONLY You can’t write against a read only replica.')],
  ['postgres', prisma('57P01')],
  ['postgres', prisma('57014')],
  ['postgres', raisedBy('postgres', broken('connect ECONNREFUSED', 'ECONNREFUSED'))],
  ['redis', raisedBy('redis', broken('read ETIMEDOUT', 'ETIMEDOUT'))],
  // The connections of clients and of identity providers break too.
  [undefined, broken('aborted', 'ECONNRESET')],
  [undefined, new TypeError('fetch failed', { cause: broken('connect', 'ECONNREFUSED') })],
  ['postgres', new Error('Query read timeout')],
  [undefined, new TypeError('x is not a function')],
])('the store of an outage is named: %s', (store, error) => {
  expect(storeOf(error)).toBe(store);
});
