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

const MESSAGES = [
  'CLUSTERDOWN Hash slot not served',
  'Too many Cluster redirections. Last error: ReplyError: CLUSTERDOWN The cluster is down',
  'NOREPLICAS Not enough good replicas to write.',
  "OOM command not allowed when used memory > 'maxmemory'. script: 1f, on @user_script:1.",
];
/** The last ones are those of a read-only database, a full disk, and one that can't be read or written. */
const CODES = [...CANCELLED, '25006', '53100', '58030'];
test.each([
  ...MESSAGES.map((message) => new Error(message)),
  ...MESSAGES.map((message) => new Error('the round was not resolved', { cause: new Error(message) })),
  ...CODES.map(prisma),
  ...CODES.map((code) => broken('from the driver itself', code)),
  // A transaction whose connection has broken, as Prisma's adapter tells it, and one that gets none in time.
  new DriverAdapterError({ kind: 'ConnectionClosed' }),
  broken('Transaction API error: Unable to start a transaction in the given time.', 'P2028'),
])('the error of an outage is known in each of its forms: %s', (error) => {
  expect(isOutage(error)).toBe(true);
});

test('a statement that PostgreSQL has cancelled does not mean that PostgreSQL is unreachable', () => {
  for (const code of CANCELLED) expect(isUnreachable(prisma(code))).toBe(false);
  for (const code of ['57P01', '53100', '08006']) expect(isUnreachable(prisma(code))).toBe(true);
  expect(isUnreachable(new Error('Connection is closed.'))).toBe(true);
});

test.each([
  ...['42703', '23505', '22012'].map(prisma),
  new DriverAdapterError({ kind: 'TransactionWriteConflict' }),
  new TypeError('x is not a function'),
  new Error('WRONGTYPE Operation against a key'),
  undefined,
])('a defect is no outage: %s', (error) => {
  expect(isOutage(error)).toBe(false);
});

const queued = new Error('MISCONF Redis is configured to save RDB snapshots');
const aborted = new Error('EXECABORT Transaction discarded because of previous errors.');
test.each([
  ['NOREPLICAS', new Error('NOREPLICAS Not enough good replicas to write.')],
  ['READONLY', prisma('25006')],
  ['DISK_FULL', prisma('53100')],
  ['OUT_OF_MEMORY', prisma('53200')],
  [undefined, prisma('53300')],
  ['MISCONF', Object.assign(aborted, { previousErrors: [queued] })],
  [undefined, new Error('Connection is closed.')],
])('the reason why a store refuses writes is one word, and only such an error has one: %s', (reason, error) => {
  expect(refusalOf(error)).toBe(reason);
  if (reason) expect(isOutage(error)).toBe(true);
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
