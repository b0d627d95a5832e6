// A lobby's log uses a limited amount of Redis memory, for a limited time. [contract 5.9, 11]
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeCreator } from '../../src/lobby/create-lobby.ts';
import { announceState, putRoster, readLog, readWholeLog } from '../../src/lobby/event-log.ts';
import type { LogEntry } from '../../src/lobby/history.ts';
import { lobbyKeys } from '../../src/lobby/keys.ts';
import { createLogBudget, levelOf } from '../../src/lobby/log-budget.ts';
import { updatePresence } from '../../src/lobby/presence.ts';
import { LOBBY_EXAMPLE } from '../../src/lobby/schema.ts';
import type { RedisClient } from '../../src/platform/redis/redis.ts';
import { eventually } from '../support/eventually.ts';
import { appendEvents } from '../support/game.ts';
import { connectToRedis, useStores } from '../support/stores.ts';

const MIB = 1024 * 1024;
/** The log expires so long after its last event, ms: ten minutes, and one for a client that resumes at their end. */
const LOG_TTL_MS = 660_000;
const stores = useStores();
let redis: RedisClient;
beforeAll(() => {
  redis = connectToRedis(stores);
  tellLog = createLogBudget(redis);
});
afterAll(() => redis.disconnect());

let tellLog: ReturnType<typeof createLogBudget>;
const deps = () => ({
  redis,
  lobbyTtlMs: 7_200_000,
  processName: 'test',
  tellLog,
  pendingAnnouncements: { schedule() {} },
});

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

type Creator = Parameters<typeof storeCreator>[2];

/** Appends so many events to the log of a new lobby. @returns its id */
async function lobbyWith(capacity: number, players: number, events: number, creator?: Creator): Promise<string> {
  const lobbyId = randomUUID();
  if (creator) await storeCreator(deps(), lobbyId, creator);
  const member = { name: '😀'.repeat(50), isHost: false, plays: true };
  const members = times(players, () => ({ userId: randomUUID(), ...member }));
  await putRoster(deps(), { roster: { ...LOBBY_EXAMPLE, lobbyId, capacity, players: members }, version: 1 });
  await appendEvents(deps(), lobbyId, events);
  return lobbyId;
}

async function sizeOf(lobbyId: string) {
  const [, log] = lobbyKeys(lobbyId);
  const rows = await redis.xrange(log, '-', '+');
  const memory = Number(await redis.call('MEMORY', 'USAGE', log, 'SAMPLES', 0));
  const bytes = rows.map(([, [, entry = '']]) => Buffer.byteLength(entry));
  return { memory, largest: Math.max(...bytes), bytes: bytes.reduce((sum, one) => sum + one, 0) };
}

describe('[contract 11] the log of a lobby', () => {
  it('has the last 100 + 4 × capacity events if they are small', async () => {
    const lobbyId = await lobbyWith(2, 2, 150);
    const entries = await readWholeLog(redis, lobbyId);
    expect(entries.map(({ seq }) => seq)).toEqual(times(108, (index) => index + 43));
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
    const tail = await readLog(redis, lobbyId, entries[0] as LogEntry, 5 * MIB);
    expect(tail?.entries).toHaveLength(entries.length - 1);
  });

  it('is read in parts of so many bytes at most, but of one event at least', async () => {
    const lobbyId = await lobbyWith(2, 2, 3);
    const since = { seq: 0, mark: '0' };
    const { bytes } = await sizeOf(lobbyId);
    const readIn = async (maxBytes: number) => (await readLog(redis, lobbyId, since, maxBytes))?.entries.length;
    expect(await Promise.all([bytes, bytes - 1, 1].map(readIn))).toEqual([3, 2, 1]);
    // Whoever has a later event than the last one has that of another history, and gets a snapshot.
    expect(await readLog(redis, lobbyId, { seq: 100, mark: '0' }, bytes)).toBeNull();
  });

  it('expires ten minutes after its last event, whoever is connected, and then begins anew', async () => {
    const lobbyId = await lobbyWith(2, 2, 5);
    const [, log] = lobbyKeys(lobbyId);
    await redis.pexpire(log, LOG_TTL_MS / 2);
    await announceState(deps(), lobbyId, 'always');
    expect(await redis.pttl(log)).toBeGreaterThan(LOG_TTL_MS - 10_000);
    await redis.pexpire(log, LOG_TTL_MS / 2);
    for (const userId of [randomUUID(), randomUUID()])
      await updatePresence(deps(), lobbyId, 'add', [{ userId, socketId: 'socket' }]);
    expect(await redis.pttl(log)).toBeLessThanOrEqual(LOG_TTL_MS);

    const before = await sizeOf(lobbyId);
    await redis.del(log);
    await announceState(deps(), lobbyId, 'always');
    const after = await sizeOf(lobbyId);
    expect(after.bytes).toBeLessThan(before.bytes);
    const [lobby] = lobbyKeys(lobbyId);
    expect(Number(await redis.hget(lobby, 'logBytes'))).toBe(after.bytes);
  });
});

/** @returns the bytes of Redis that the logs take */
async function memoryOf(lobbyIds: string[]): Promise<number> {
  const sizes = lobbyIds.map((id) => redis.call('MEMORY', 'USAGE', lobbyKeys(id)[1], 'SAMPLES', 0));
  return (await Promise.all(sizes)).reduce<number>((sum, bytes) => sum + Number(bytes), 0);
}

/** Appends events to all logs at once. @returns the most bytes of Redis that they took */
async function flood(lobbyIds: string[], rounds: number): Promise<number> {
  let most = 0;
  for (let round = 0; round < rounds; round++) {
    await Promise.all(lobbyIds.map((lobbyId) => appendEvents(deps(), lobbyId, 1)));
    if (round % 5 === 0) most = Math.max(most, await memoryOf(lobbyIds));
  }
  return most;
}

describe('[contract 17] the logs of all lobbies', () => {
  it('of one host take at most 8 MiB of Redis, and each keeps its last 256 KiB', async () => {
    const creator = { userId: randomUUID(), address: '192.0.2.1' };
    const lobbyIds = await Promise.all(times(20, () => lobbyWith(40, 40, 1, creator)));
    expect(await flood(lobbyIds, 60)).toBeLessThanOrEqual(8 * MIB);
    for (const lobbyId of lobbyIds) expect((await sizeOf(lobbyId)).bytes).toBeGreaterThan(256 * 1024);
  });

  it('of the hosts of one address take at most 64 MiB, and a class of 30 among them loses no event', async () => {
    const address = '2001:db8::1';
    const teacher = { userId: randomUUID(), address };
    const ofClass = await lobbyWith(30, 5, 220, teacher);
    const strangers = await Promise.all(
      times(24, async (index) => {
        const creator = { userId: randomUUID(), address: `2001:db8::${index + 2}` };
        return Promise.all(times(2, () => lobbyWith(100, 100, 1, creator)));
      }),
    );
    expect(await flood(strangers.flat(), 70)).toBeLessThanOrEqual(64 * MIB);
    const entries = await readWholeLog(redis, ofClass);
    expect(entries.map(({ seq }) => seq)).toEqual(times(220, (index) => index + 1));
  });

  it('are bounded again within a minute when a process has died before it told them', async () => {
    const creator = { userId: randomUUID(), address: '192.0.2.2' };
    const tell = tellLog;
    tellLog = () => {};
    const lobbyIds = await Promise.all(times(4, () => lobbyWith(200, 200, 40, creator)));
    tellLog = tell;
    expect(await memoryOf(lobbyIds)).toBeGreaterThan(8 * MIB);
    // A minute later, each lobby has another event.
    for (const lobbyId of lobbyIds) {
      await redis.hset(lobbyKeys(lobbyId)[0], 'toldAtMs', 0);
      await appendEvents(deps(), lobbyId, 1);
    }
    await eventually(async () => expect(await memoryOf(lobbyIds)).toBeLessThan(8 * MIB));
  });

  it('are shortened to one length, where the shorter ones stay as they are', () => {
    expect(levelOf([10, 2, 10], 22)).toBe(Number.POSITIVE_INFINITY);
    expect(levelOf([10, 2, 10], 16)).toBe(7);
    expect(levelOf([10, 2, 3], 3)).toBe(1);
  });
});
