// A lobby's log uses a limited amount of Redis memory, for a limited time. [contract 5.9, 11]
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putRoster, readLog, readWholeLog } from '../../src/lobby/event-log.ts';
import { lobbyKeys } from '../../src/lobby/keys.ts';
import { updatePresence } from '../../src/lobby/presence.ts';
import { LOBBY_EXAMPLE } from '../../src/lobby/schema.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { connectRedis, type RedisClient } from '../../src/platform/redis/redis.ts';
import { startStores, type TestStores } from '../support/stores.ts';

const MIB = 1024 * 1024;
/**
 * The log expires so long after its last event, in ms: ten minutes, and one more for a client that resumes at
 * their end.
 */
const LOG_TTL_MS = 660_000;
let stores: TestStores;
let redis: RedisClient;
beforeAll(async () => {
  stores = await startStores();
  const { redisUrl: url, isCluster: cluster } = stores;
  redis = connectRedis({ url, cluster }, 'commands', createLogger('silent', 'test'));
});
afterAll(async () => {
  redis.disconnect();
  await stores.stop();
});

const deps = () => ({
  redis,
  lobbyTtlMs: 7_200_000,
  processName: 'test',
  pendingAnnouncements: { schedule() {} },
});

/** Appends so many events to the log of a new lobby. @returns its id */
async function lobbyWith(capacity: number, players: number, events: number): Promise<string> {
  const lobbyId = randomUUID();
  const roster = {
    ...{ lobbyId, code: '7KQ2ZD', status: 'waiting' as const, hostId: randomUUID(), capacity },
    ...{ settings: LOBBY_EXAMPLE.settings, locked: false, gameId: null },
    createdAt: new Date().toISOString(),
    players: Array.from({ length: players }, () => {
      return { userId: randomUUID(), name: '😀'.repeat(50), isHost: false, plays: true };
    }),
  };
  await putRoster(deps(), { roster, version: 1 });
  for (let event = 0; event < events; event++)
    await updatePresence(deps(), lobbyId, 'add', [], 'always');
  return lobbyId;
}

async function sizeOf(lobbyId: string) {
  const [, log] = lobbyKeys(lobbyId);
  const rows = await redis.xrange(log, '-', '+');
  const memory = Number(await redis.call('MEMORY', 'USAGE', log, 'SAMPLES', 0));
  const bytes = rows.map(([, fields]) => Buffer.byteLength(fields.join('')));
  return { memory, largest: Math.max(...bytes), bytes: bytes.reduce((sum, one) => sum + one, 0) };
}

describe('[contract 11] the log of a lobby', () => {
  it('has the last 100 + 4 × capacity events if they are small', async () => {
    const lobbyId = await lobbyWith(2, 2, 150);
    const entries = await readWholeLog(redis, lobbyId);
    expect(entries.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 108 }, (_, index) => index + 43),
    );
  });

  it('has as many events as fit 4 MiB if they are large, and uses no more Redis memory', async () => {
    const lobbyId = await lobbyWith(200, 200, 300);
    const { bytes, largest, memory } = await sizeOf(lobbyId);
    expect(300 * largest).toBeGreaterThan(8 * MIB);
    expect(bytes).toBeLessThanOrEqual(4 * MIB);
    expect(bytes).toBeGreaterThan(4 * MIB - largest);
    expect(memory).toBeLessThan(5 * MIB);
    const entries = await readWholeLog(redis, lobbyId);
    expect(entries.at(-1)?.seq).toBe(300);
    // The numbers have no gap, so that a client can resume from each event.
    const [first] = entries;
    const since = { seq: first?.seq ?? 0, mark: first?.mark };
    const tail = await readLog(redis, lobbyId, since, 5 * MIB);
    expect(tail?.entries).toHaveLength(entries.length - 1);
  });

  it('expires ten minutes after its last event, whoever is connected, and then begins anew', async () => {
    const lobbyId = await lobbyWith(2, 2, 5);
    const [, log] = lobbyKeys(lobbyId);
    await redis.pexpire(log, LOG_TTL_MS / 2);
    await updatePresence(deps(), lobbyId, 'add', [], 'always');
    expect(await redis.pttl(log)).toBeGreaterThan(LOG_TTL_MS - 10_000);
    await redis.pexpire(log, LOG_TTL_MS / 2);
    for (let joined = 0; joined < 2; joined++) {
      const sockets = [{ userId: randomUUID(), socketId: 'socket' }];
      await updatePresence(deps(), lobbyId, 'add', sockets, 'changed');
    }
    expect(await redis.pttl(log)).toBeLessThanOrEqual(LOG_TTL_MS);

    const before = await sizeOf(lobbyId);
    await redis.del(log);
    await updatePresence(deps(), lobbyId, 'add', [], 'always');
    const after = await sizeOf(lobbyId);
    expect(after.bytes).toBeLessThan(before.bytes);
    const [lobby] = lobbyKeys(lobbyId);
    expect(Number(await redis.hget(lobby, 'logBytes'))).toBe(after.bytes);
  });
});
