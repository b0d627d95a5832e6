// A replay reads the log in bounded parts, and ends early when its reader leaves or the log is trimmed past it.
// A reader that stalls: chunk-timeouts.test.ts. [contract 5.9, 17, 19]
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { announceLobby, putRoster } from '../../src/lobby/event-log.ts';
import { lobbyKeys } from '../../src/lobby/keys.ts';
import { createLobbyWrites } from '../../src/lobby/lobby-writes.ts';
import { createRunningLobbies } from '../../src/lobby/running-lobbies.ts';
import { findById, kickPlayer, type StoredLobby } from '../../src/lobby/store.ts';
import { createDispatch } from '../../src/realtime/messages.ts';
import { createRoom, createRooms } from '../../src/realtime/rooms.ts';
import type { ServerEvent } from '../../src/realtime/schema.ts';
import type { Services } from '../../src/services.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { lobbyIdOf } from '../support/game.ts';
import { gather, type Player, playerOf } from '../support/player.ts';

/** The number of events in the log of each lobby. Together they are longer than many chunks. */
const EVENTS = 60;
const CHUNK_BYTES = 64 * 1024;

const arena = useArena({ replicas: 1, workers: 0 });
afterEach(() => vi.restoreAllMocks());

/** @returns a socket whose test decides when it takes a chunk */
function readerOf(userId: string) {
  const waiting: ((isTaken: boolean) => void)[] = [];
  let isTaking = false;
  return {
    id: randomUUID(),
    userId,
    userName: 'Ada',
    messages: [] as string[],
    chunks: [] as Buffer[][],
    /** Whether it got a chunk before it had taken the last one. */
    isPressed: false,
    taken: Promise.resolve(true),
    send(text: string | Buffer) {
      this.messages.push(text.toString());
    },
    sendChunk(chunk: Buffer[]) {
      this.isPressed ||= waiting.length > 0;
      this.chunks.push(chunk);
      this.messages.push(...chunk.map(String));
      this.taken = isTaking ? Promise.resolve(true) : new Promise((resolve) => waiting.push(resolve));
    },
    /** Takes the waiting chunks, and from now on every chunk at once. */
    take() {
      isTaking = true;
      for (const resolve of waiting.splice(0)) resolve(true);
    },
  };
}

/** Opens a lobby with a long log, and a room that no subscription fills. */
async function openLobby(members?: Player[]) {
  const [ada, ben] = (members ?? (await arena.players('Ada', 'Ben'))) as [Player, Player];
  const code = await gather([ada, ben], { capacity: 50 });
  const lobbyId = lobbyIdOf(ada);
  const { roster } = (await findById(arena.services.postgres, lobbyId)) as StoredLobby;
  const players = roster.players.map((player) => ({ ...player, name: 'x'.repeat(10_000) }));
  let version = 100;
  async function makeEvents(count: number): Promise<void> {
    for (const last = version + count; version < last; version++)
      await putRoster(arena.services, { roster: { ...roster, players }, version });
  }
  await makeEvents(EVENTS);
  const room = createRoom(arena.services, lobbyId, () => {});
  return { code, ada, ben, lobbyId, room, makeEvents };
}

/** Opens such a lobby, and begins a replay of its whole log. */
async function beginReplay() {
  const lobby = await openLobby();
  const reader = readerOf(lobby.ben.user.id);
  await lobby.room.subscribe(reader, { seq: 0 });
  return { ...lobby, reader };
}

type Reader = ReturnType<typeof readerOf>;

const eventsOf = ({ messages }: Reader) => messages.map((text) => JSON.parse(text) as ServerEvent);
const numbersOf = (reader: Reader) => eventsOf(reader).map(({ seq }) => seq);
const numbersUpTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const headOf = async (lobbyId: string) => Number(await arena.services.redis.hget(lobbyKeys(lobbyId)[0], 'seq'));

async function kick(lobbyId: string, host: Player, player: Player): Promise<void> {
  await kickPlayer(arena.services.db, lobbyId, host.user.id, player.user.id);
  // These tests have stored larger versions than the service would, so that the next announcement would be dropped.
  await arena.services.redis.hset(lobbyKeys(lobbyId)[0], 'version', 0);
  await announceLobby(arena.services, lobbyId);
}

/** Counts the reads of a lobby's log: no other script has the lobby's hash and its log alone as keys. */
function watchReads(lobbyId: string) {
  const calls = vi.spyOn(arena.services.redis, 'evalsha');
  const [lobby, log] = lobbyKeys(lobbyId);
  const isRead = ([, keys, ...names]: unknown[]) => keys === 2 && names[0] === lobby && names[1] === log;
  return {
    count: () => calls.mock.calls.filter(isRead).length,
    fail: () => calls.mockRejectedValue(new Error('Connection is closed.')),
    recover: () => calls.mockRestore(),
  };
}

describe('a replay', () => {
  it('is sent in chunks of at most 64 KiB, each after its reader has taken the last one', async () => {
    const { lobbyId, room, reader } = await beginReplay();
    reader.take();
    await room.caughtUp(reader);
    expect(reader.isPressed).toBe(false);
    expect(numbersOf(reader)).toEqual(numbersUpTo(await headOf(lobbyId)));
    expect(reader.chunks.length).toBeGreaterThan(EVENTS / 6);
    for (const chunk of reader.chunks) expect(Buffer.concat(chunk).length).toBeLessThanOrEqual(CHUNK_BYTES);
  });

  it('continues with the events published meanwhile, and then with live ones', async () => {
    const { lobbyId, room, makeEvents, reader } = await beginReplay();
    await makeEvents(10);
    await room.fill();
    reader.take();
    await room.caughtUp(reader);
    await makeEvents(3);
    await room.fill();
    expect(numbersOf(reader)).toEqual(numbersUpTo(await headOf(lobbyId)));
  });

  it('ends in a snapshot if the log was trimmed past its reader', async () => {
    const { lobbyId, room, makeEvents, reader } = await beginReplay();
    const replayed = reader.messages.length;
    await arena.services.redis.xtrim(lobbyKeys(lobbyId)[1], 'MAXLEN', 5);
    reader.take();
    await room.caughtUp(reader);
    await makeEvents(2);
    await room.fill();
    const head = await headOf(lobbyId);
    expect(numbersOf(reader)).toEqual([...numbersUpTo(replayed), head - 2, head - 1, head]);
    expect(eventsOf(reader)[replayed]).toMatchObject({ type: 'lobby:state', snapshot: true });
  });

  it('stops when its user is kicked, and sends lobby:kicked at once', async () => {
    const { ada, ben, lobbyId, room, reader } = await beginReplay();
    await kick(lobbyId, ada, ben);
    reader.take();
    await eventually(() => expect(room.has(reader)).toBe(false));
    expect(JSON.parse(reader.messages.at(-1) as string)).toMatchObject({ type: 'lobby:kicked' });
    const states = eventsOf(reader).slice(0, -1) as Extract<ServerEvent, { type: 'lobby:state' }>[];
    for (const { lobby } of states.slice(2)) expect(lobby.players).toHaveLength(2);
  });

  it('of a player who is kicked while entering ends with lobby:kicked, and the player does not enter', async () => {
    const { code, ada, ben, lobbyId, room } = await openLobby();
    await kick(lobbyId, ada, ben);
    for (const since of [undefined, { seq: (await headOf(lobbyId)) - 1 }]) {
      const reader = readerOf(ben.user.id);
      await room.subscribe(reader, since);
      expect(room.has(reader)).toBe(false);
      expect(reader.messages.at(-1)).toBe(JSON.stringify({ type: 'lobby:kicked', code }));
    }
    expect(room.listeners()).toEqual([]);
  });

  it('continues from its position after a failed read', async () => {
    const { lobbyId, room, reader } = await beginReplay();
    const reads = watchReads(lobbyId);
    reads.fail();
    reader.take();
    await eventually(() => expect(reads.count()).toBeGreaterThan(0));
    reads.recover();
    await room.caughtUp(reader);
    expect(numbersOf(reader)).toEqual(numbersUpTo(await headOf(lobbyId)));
  });
});

it('many sockets that resume at once share the reads and the buffers if they are at the same position', async () => {
  const { ben, lobbyId, room } = await openLobby();
  const readers = Array.from({ length: 200 }, () => readerOf(ben.user.id));
  const reads = watchReads(lobbyId);
  await Promise.all(readers.map((reader) => room.subscribe(reader, { seq: 0 })));
  const [first] = readers as [Reader];
  for (const { chunks } of readers) {
    expect(chunks).toHaveLength(1);
    for (const [index, message] of (chunks[0] ?? []).entries()) expect(message).toBe(first.chunks[0]?.[index]);
  }
  for (const reader of readers) reader.take();
  await Promise.all(readers.map((reader) => room.caughtUp(reader)));
  const numbers = numbersUpTo(await headOf(lobbyId));
  for (const reader of readers) expect(numbersOf(reader)).toEqual(numbers);
  expect(reads.count()).toBeLessThan(2 * first.chunks.length + 10);
});

async function bytesSent(redis: Services['redis']): Promise<number> {
  const stats = (await redis.info('stats')) as string;
  return Number(/total_net_output_bytes:(\d+)/.exec(stats)?.[1]);
}

it('a member who alternates between lobbies with since 0 makes Redis read a bounded part for each message', async () => {
  const lobbies = [await openLobby(), await openLobby()];
  const { redis } = arena.services;
  const before = await bytesSent(redis);
  const MESSAGES = 40;
  for (let sent = 0; sent < MESSAGES; sent++) {
    const { room, ben } = lobbies[sent % 2] as (typeof lobbies)[number];
    const reader = readerOf(ben.user.id);
    await room.subscribe(reader, { seq: 0 });
    room.unsubscribe(reader);
    reader.take();
  }
  // A room without other sockets reads the lobby's state beside the chunk.
  expect((await bytesSent(redis)) - before).toBeLessThan(MESSAGES * 3 * CHUNK_BYTES);
});

it('a peer that takes no chunk gets none of another lobby', async () => {
  const { code, ada, ben } = await openLobby();
  const url = arena.replicas[0].url;
  const again = [playerOf(ada.user, url), playerOf(ben.user, url)];
  await Promise.all(again.map((player) => player.connect()));
  const other = await openLobby(again);
  const reader = readerOf(ben.user.id);
  const user = { ...ben.user, email: '', sessionId: '', isAnonymous: false };
  const connection = {
    user,
    cookie: undefined,
    address: '127.0.0.1',
    isGone: false,
    close() {},
    beat() {},
    whenClosed: async () => {},
    ...reader,
  };
  const rooms = createRooms(arena.services, () => {});
  const [lobbyWrites, runningLobbies] = [createLobbyWrites(arena.services), createRunningLobbies()];
  const services = { ...arena.services, rooms, lobbyWrites, runningLobbies, drawQuestions: async () => [] };
  const dispatch = createDispatch(services);
  const join = (lobby: string) => dispatch(connection, { type: 'lobby:join', code: lobby, since: 0 });
  await join(code);
  const joining = join(other.code);
  await sleep(300);
  expect(reader.chunks).toHaveLength(1);
  connection.take();
  await joining;
  expect(rooms.roomOf(connection)?.lobbyId).toBe(other.lobbyId);
  expect(reader.chunks.length).toBeGreaterThan(1);
});
