// What a change of presence or of the roster makes of a lobby in Redis, by the fields that it has: who is connected, for
// whom games wait, and whether a `lobby:state` is sent, at once or soon. [contract 5.1, 10, 11, 19, 25]
import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  announceClosed,
  announceState,
  createLobbyWriter,
  createPendingAnnouncements,
  type LobbyWriter,
  putRoster,
} from '../../src/lobby/event-log.ts';
import { awayKey, lobbyKeys, socketsKey } from '../../src/lobby/keys.ts';
import { type PresenceChange, updatePresence } from '../../src/lobby/presence.ts';
import { LOBBY_EXAMPLE, type Roster } from '../../src/lobby/schema.ts';
import { connectToRedis, type Fields, setFields, useStores } from '../support/stores.ts';

const stores = useStores();

const IDLE_SECONDS = 600;
const LATER = 9e12;
/** The keys expire after so many ms, unless they are kept. */
const SHORT_TTL_MS = 60_000;
/** A waiting lobby of Ada, who is connected, and Ben. */
const ROSTER: Roster = {
  ...LOBBY_EXAMPLE,
  hostId: 'ada',
  players: [
    { userId: 'ada', name: 'Ada', isHost: true, plays: true },
    { userId: 'ben', name: 'Ben', isHost: false, plays: true },
  ],
};
const LOBBY = { connected: '["ada"]', connectedCount: '1', screen: '{}', screenSeq: '0' };

interface Stored {
  fields?: Fields;
  /** Times by `user:socket`. */
  sockets?: Record<string, number>;
  /** Times by user. */
  away?: Record<string, number>;
}

const presenceOf = (entry: string) => {
  const [userId = '', socketId = ''] = entry.split(':');
  return { userId, socketId };
};

/** Acts on a lobby that is stored so, and returns what is stored then. */
async function act<T>(
  { fields = {}, sockets = { 'ada:1': LATER }, away = {} }: Stored,
  on: (deps: LobbyWriter, lobbyId: string) => Promise<T>,
) {
  const redis = connectToRedis(stores);
  onTestFinished(() => redis.disconnect());
  const lobbyId = randomUUID();
  const keys = [lobbyKeys(lobbyId)[0], socketsKey(lobbyId), awayKey(lobbyId)] as const;
  const delays: number[] = [];
  const pendingAnnouncements = { schedule: (_lobby: string, delayMs: number) => void delays.push(delayMs) };
  const deps = { ...createLobbyWriter(redis, IDLE_SECONDS), pendingAnnouncements };
  await putRoster(deps, { roster: { ...ROSTER, lobbyId }, version: 1 });
  await setFields(redis, keys[0], { ...LOBBY, ...fields });
  for (const [entry, at] of Object.entries(sockets)) await redis.zadd(keys[1], at, entry);
  for (const [user, at] of Object.entries(away)) await redis.zadd(keys[2], at, user);
  for (const key of keys) await redis.pexpire(key, SHORT_TTL_MS);
  const reply = await on(deps, lobbyId);
  const timesOf = async (key: string) => {
    const pairs = await redis.zrange(key, '0', '-1', 'WITHSCORES');
    return Object.fromEntries(pairs.flatMap((name, at) => (at % 2 ? [] : [[name, Number(pairs[at + 1])]])));
  };
  return {
    ...reply,
    delays,
    lobby: await redis.hgetall(keys[0]),
    sockets: await timesOf(keys[1]),
    away: await timesOf(keys[2]),
    ttls: await Promise.all(keys.map((key) => redis.pttl(key))),
  };
}

const update = (stored: Stored, change: PresenceChange, entries: string[], awayMs?: number) =>
  act(stored, (deps, lobbyId) => updatePresence(deps, lobbyId, change, entries.map(presenceOf), awayMs));

describe('a lobby:state', () => {
  const here = ['ada:1'];
  const running = { status: 'running' };
  const compact = { compact: 'true' };
  const NEVER = { seq: 0, delays: [] };
  const SOON = { seq: 0, delays: [30] };
  const AT_ONCE = { seq: 1, delays: [] };
  it.each([
    ['is not sent when presence is renewed', {}, here, { ...NEVER, state: 'waiting' }],
    ['is sent soon when a member connects', {}, ['ben:1'], SOON],
    ['is not sent when somebody else enters a game', running, ['eve:1'], NEVER],
    ['is sent soon in a compact lobby whoever connects', compact, ['eve:1'], SOON],
    ['is not sent in a compact lobby when presence is renewed', compact, here, NEVER],
    ['is sent soon when a member enters a waiting lobby with another socket', {}, ['ada:2'], SOON],
    ['is not sent when a member enters a game with another socket', running, ['ada:2'], { ...NEVER, state: 'running' }],
    ['is sent when a member who enters a game was not connected', running, ['ben:1'], SOON],
    ['is not scheduled twice', { announceAtMs: LATER }, ['ben:1'], NEVER],
    ['is sent at once when its time has come', { announceAtMs: 1 }, here, AT_ONCE],
    ['is sent at once if the last one was in the future', { announcedAtMs: LATER }, ['ben:1'], AT_ONCE],
    ['is not sent of a closed lobby', { closed: 1 }, ['ben:1'], { ...NEVER, state: 'closed' }],
    ['is not sent without a roster', { roster: null }, ['ben:1'], { ...NEVER, state: 'unknown' }],
  ] as const)('%s', async (_what, fields, entries, expected) => {
    expect(await update({ fields }, 'add', [...entries])).toMatchObject(expected);
  });

  it.each([
    ['150 ms', {}, 150],
    ['900 ms in a compact lobby', compact, 900],
  ])('follows the last one after %s', async (_what, fields, afterMs) => {
    const { delays } = await update({ fields: { ...fields, announcedAtMs: Date.now() } }, 'add', ['ben:1']);
    expect(delays[0]).toBeGreaterThanOrEqual(30);
    expect(delays[0]).toBeLessThanOrEqual(afterMs);
  });

  it('says when its time is, and of a sent one when it was', async () => {
    const soon = await update({}, 'add', ['ben:1']);
    expect(Number(soon.lobby.announceAtMs)).toBe(soon.nowMs + 30);
    const sent = await update({ fields: { announceAtMs: 1 } }, 'add', ['ben:1']);
    expect(sent.lobby).toMatchObject({ announcedAtMs: `${sent.nowMs}`, seq: '1', mark: sent.mark });
    expect(sent.lobby).not.toHaveProperty('announceAtMs');
  });
});

it.each([
  ['is sent in time', 1, { announceAtMs: 1 }, '1'],
  ['is sent by a process that stops', SHORT_TTL_MS, { announceAtMs: LATER }, '1'],
  ['was sent by another', SHORT_TTL_MS, {}, undefined],
  ['is not sent of a closed lobby', SHORT_TTL_MS, { announceAtMs: 1, closed: 1 }, undefined],
  ['is not sent without a roster', SHORT_TTL_MS, { announceAtMs: 1, roster: null }, undefined],
])('a scheduled lobby:state %s', async (_what, inMs, fields, seq) => {
  const { lobby } = await act({ fields }, async (deps, lobbyId) => {
    const pending = createPendingAnnouncements(deps);
    pending.schedule(lobbyId, inMs);
    if (inMs > 1) return pending.flush();
    await expect.poll(() => deps.redis.hget(lobbyKeys(lobbyId)[0], 'seq')).toBe(seq);
  });
  expect(lobby.seq).toBe(seq);
});

it.each([
  ['is sent at once if that is asked', { announceAtMs: LATER }, '1'],
  ['is not sent of a closed lobby, even if asked', { closed: 1 }, undefined],
  ['is not sent without a roster, even if asked', { roster: null }, undefined],
])('a lobby:state %s', async (_what, fields, seq) => {
  const { lobby } = await act({ fields }, (deps, lobbyId) => announceState(deps, lobbyId, 'always'));
  expect(lobby.seq).toBe(seq);
  if (seq) expect(lobby).not.toHaveProperty('announceAtMs');
});

it('users are listed once each, in the same order whoever came first, and keep their lobby', async () => {
  const sockets = { 'cleo:1': LATER, 'ada:1': LATER + 1, 'ben:1': LATER + 2, 'ada:2': LATER + 3 };
  const { lobby, nowMs, ttls } = await update({ sockets }, 'add', []);
  expect(lobby).toMatchObject({ connected: '["ada","ben","cleo"]', connectedCount: '3', seenMs: `${nowMs}` });
  for (const ttl of ttls.slice(0, 2)) expect(ttl).toBeGreaterThan(IDLE_SECONDS * 1000);
});

it('a lobby in which nobody is connected is not kept', async () => {
  const { lobby, ttls } = await update({ sockets: {} }, 'add', []);
  expect(lobby).toMatchObject({ connected: '[]', connectedCount: '0' });
  expect(lobby).not.toHaveProperty('seenMs');
  expect(ttls[0]).toBeLessThanOrEqual(SHORT_TTL_MS);
});

describe('a roster that is put', () => {
  const AT_ONCE = { seq: '1', delays: [], isKept: true };
  const SOON = { seq: undefined, delays: [30], isKept: false };
  const STORED = { seq: undefined, delays: [], isKept: true };
  const IGNORED = { ...STORED, isKept: false };
  const stored = { version: '2', playerCount: '1' };
  const { players } = ROSTER;
  const running = { players, status: 'running' as const };
  const shown = { version: '2', status: 'running', screenSeq: '0' };
  const again = { version: '2', status: 'waiting' };
  it.each([
    ['is announced', {}, {}, 'changed', stored, AT_ONCE],
    ['is announced soon if that is asked', {}, {}, 'soon', stored, SOON],
    ['is stored for whoever enters first', { connected: '[]' }, {}, 'soon', stored, STORED],
    ['is announced by the game if the status alone differs', {}, running, 'changed', shown, STORED],
    ['is announced when the lobby waits again', { status: 'finished' }, { players }, 'changed', again, AT_ONCE],
    ['is not announced if Redis knew none', { version: null, roster: null }, {}, 'changed', stored, STORED],
    ['is ignored if it is known', { version: 2 }, {}, 'changed', { version: '2', playerCount: '2' }, IGNORED],
    ['is ignored if a newer one is known', { version: 3 }, {}, 'changed', { version: '3', playerCount: '2' }, IGNORED],
    ['is ignored if the lobby is closed', { closed: 1 }, {}, 'changed', { version: '1', playerCount: '2' }, IGNORED],
  ] as const)('%s', async (_what, fields, changes, mode, expected, announced) => {
    const { lobby, delays, ttls } = await act({ fields }, async (deps, lobbyId) => {
      const roster = { ...ROSTER, players: players.slice(0, 1), ...changes, lobbyId };
      return { connected: await putRoster(deps, { roster, version: 2 }, mode) };
    });
    expect(lobby).toMatchObject(expected);
    // A lobby that waits no longer shows its last game.
    expect('screen' in lobby).toBe(announced === IGNORED || lobby.status !== 'waiting');
    const isKept = (ttls[0] as number) > SHORT_TTL_MS;
    expect({ seq: lobby.seq, delays, isKept }).toEqual(announced);
  });
});

it('a lobby is closed once, whose sockets are no longer in it', async () => {
  const { lobby, sockets } = await act({}, async (deps, lobbyId) => {
    for (let time = 0; time < 2; time++) await announceClosed(deps, { lobbyId, code: ROSTER.code }, 'expired');
  });
  expect([lobby.seq, lobby.screenSeq, sockets]).toEqual(['1', '1', {}]);
});

// [contract 17]
it.each([
  ['not told again at once', 0, { toldAtMs: Date.now() }, 0],
  ['told again after a minute', 0, { toldAtMs: Date.now() - 61_000 }, 1],
  ['told when it has grown by 8 KiB', 10_000, { toldBytes: 10_000 - 8192 }, 1],
  ['not told when it has grown by less', 10_000, { toldBytes: 10_001 - 8192 }, 0],
  ['told when a large one has grown by a sixteenth', 1_000_000, { toldBytes: 940_000 }, 1],
  ['not told when a large one has grown by less', 1_000_000, { toldBytes: 960_000 }, 0],
])('the growth of a log is %s', async (_what, bytes, fields, times) => {
  const told: unknown[] = [];
  const [creatorId, networks] = bytes > 0 ? ['cleo', '10.0.0.0/24'] : [null, null];
  await act({ fields: { creatorId, networks } }, async (deps, lobbyId) => {
    const noting = { ...deps, tellLog: (...note: unknown[]) => void told.push(note) };
    const [lobby] = lobbyKeys(lobbyId);
    const announce = async () => {
      await announceState(noting, lobbyId, 'always');
      return Number(await deps.redis.hget(lobby, 'logBytes'));
    };
    const first = await announce();
    const entryBytes = (await announce()) - first;
    // It counts for who created the lobby, or else for its host.
    expect(told).toEqual([[lobby, [String(first), creatorId ?? 'ada', networks ?? '']]]);
    await deps.redis.hset(lobby, { logBytes: bytes - entryBytes, ...fields });
    await announce();
  });
  expect(told).toHaveLength(1 + times);
});

describe('a game waits for', () => {
  const AWAY_MS = 200_000;
  it.each([
    ['nobody when a socket comes', {}, 'add', {}, { 'ada:1': 15_000 }],
    ['the user of a socket that goes', {}, 'remove', { ada: AWAY_MS }, {}],
    ['the user of a socket that lingers', {}, 'linger', { ada: AWAY_MS }, { 'ada:1': 5000 }],
    ['the user for as long as before', { away: { ada: LATER } }, 'remove', { ada: LATER }, {}],
    ['nobody any more whose time is over', { away: { ben: 1 } }, 'remove', { ada: AWAY_MS }, {}],
  ] as const)('%s', async (_whom, stored, change, away, sockets) => {
    const { nowMs, ...then } = await update(stored, change, ['ada:1'], AWAY_MS);
    const timesOf = (given: Record<string, number>) =>
      Object.fromEntries(Object.entries(given).map(([name, ms]) => [name, ms === LATER ? ms : nowMs + ms]));
    expect(then).toMatchObject({ away: timesOf(away), sockets: timesOf(sockets) });
  });

  it('the user of a socket that has expired a moment ago, and then no longer', async () => {
    const agoMs = (ms: number) => Date.now() - ms;
    const sockets = { 'ada:1': agoMs(1), 'ben:1': agoMs(60_000), 'cleo:1': LATER };
    const then = await update({ sockets }, 'add', []);
    expect(then.away).toEqual({ ada: sockets['ada:1'] + 5000 });
    expect(then.sockets).toEqual({ 'cleo:1': LATER });
    expect(then.ttls[2]).toBeGreaterThan(0);
    expect(then.ttls[2]).toBeLessThanOrEqual(15_000);
  });
});
