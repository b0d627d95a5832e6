// Tests a PostgreSQL whose disk is full: it answers and reads, but refuses writes that need space. It has a
// real disk of its own; mounting it needs root or sudo. [contract 18]
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { renderMetrics } from '../../src/platform/observability/metrics.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { startReplicas, type TestService } from '../support/service.ts';
import { openSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { timed } from '../support/stopwatch.ts';
import { type OwnPostgres, startOwnPostgres, startStores, type TestStores } from '../support/stores.ts';

const DISK_MB = 160;
/** The contract's limit of 5 s, and as much again for a busy machine. */
const SEEN_MS = 5000 + 5000;

let disk: SmallDisk;
let postgres: OwnPostgres;
let stores: TestStores;
let service: TestService;
let client: HttpClient;
const lines: { msg: string; store?: string; reason?: string }[] = [];

beforeAll(async () => {
  disk = openSmallDisk(inject('temporaryFolder'), DISK_MB);
  [postgres, stores] = await Promise.all([startOwnPostgres(disk.folder), startStores()]);
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const addresses = { databaseUrl: postgres.databaseUrl, redisUrl: stores.redisUrl };
  const env = { LOG_LEVEL: 'info', GUESTS: 'true', RATE_LIMIT_GUEST_MAX: '1000000' };
  [service] = (await startReplicas(addresses, 1, env, log)) as [TestService];
  client = createHttpClient(service.url);
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([postgres?.dispose(), stores?.stop()]);
  disk?.dispose();
});

async function expectHealth(status: number, checks: object): Promise<void> {
  const { tookMs } = await timed(() =>
    expect
      .poll(async () => {
        const { status, body } = await client.get('/api/health');
        return [status, body.checks];
      })
      .toEqual([status, checks]),
  );
  expect(tookMs).toBeLessThan(SEEN_MS);
}

async function writable(): Promise<string | undefined> {
  const { text } = await renderMetrics();
  return /^quiz_store_writable\{store="postgres"\} (\d)/m.exec(text)?.[1];
}

const comeIn = async () => (await createHttpClient(service.url).post('/api/v1/guests', { name: 'Ada' })).status;

test('health, the metrics and the log report a PostgreSQL with a full disk as read_only until it has space again', async () => {
  await expectHealth(200, { postgres: 'ok', redis: 'ok' });
  expect(await comeIn()).toBe(201);
  // While everything starts, a busy machine may keep a store from answering.
  lines.length = 0;
  disk.fill();
  try {
    await expectHealth(503, { postgres: 'read_only', redis: 'ok' });
    expect(await writable()).toBe('0');
    // A write that needs no new page still succeeds.
    const statuses = await Promise.all(Array.from({ length: 60 }, comeIn));
    expect(statuses).toContain(503);
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
  } finally {
    disk.free();
  }
  await expectHealth(200, { postgres: 'ok', redis: 'ok' });
  expect(await writable()).toBe('1');
  expect(await comeIn()).toBe(201);
  expect(lines.filter(({ store }) => store).map(({ msg, reason }) => [msg, reason])).toEqual([
    ['a store refuses writes', 'DISK_FULL'],
    ['a store is away: what needs it is refused, and counted', undefined],
    ['a store is available again', undefined],
  ]);
});
