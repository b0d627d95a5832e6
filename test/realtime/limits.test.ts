// A socket may send messages of a bounded size and rate, and gets an error for any other. [contract 5]
import { once } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import type WebSocket from 'ws';
import { putRoster } from '../../src/lobby/event-log.ts';
import { lobbyKeys } from '../../src/lobby/keys.ts';
import { findById } from '../../src/lobby/store.ts';
import type { ServerMessage } from '../../src/realtime/schema.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { eventsOf, lobbyIdOf } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';
import { SHORT_OUTAGES } from '../support/service.ts';
import { openWebSocket } from '../support/upgrade.ts';

let ada: Player;
const arena = useArena({ workers: 0, env: SHORT_OUTAGES });
beforeEach(async () => {
  [ada] = await arena.players('Ada');
});

const READY = { type: 'game:ready' };
const MAX_FRAME_BYTES = 16 * 1024;

/** Sends a frame and expects that the connection stays open. @returns the error */
async function errorOf(player: Player, frame: string): Promise<ServerMessage> {
  const seen = player.messages.length;
  player.send(frame);
  const error = await player.next('error', () => true, seen);
  expect(await player.refused(READY)).toMatchObject({ reason: 'NOT_IN_LOBBY' });
  return error;
}

describe('a message', () => {
  it('that is not JSON gets error 400 INVALID_JSON, and the connection stays open', async () => {
    for (const frame of ['', '{', "{'type':'game:ready'}", '{"type":"game:ready",}', '\u0000'])
      expect(await errorOf(ada, frame), frame).toEqual({
        type: 'error',
        code: 400,
        reason: 'INVALID_JSON',
        message: expect.any(String),
      });
  });

  it('in a binary frame gets error 400 INVALID_JSON', async () => {
    const socket = (await openWebSocket(`${arena.replicas[0].url}/ws`, { cookie: ada.user.cookie })) as WebSocket;
    socket.send(Buffer.from(JSON.stringify(READY)), { binary: true });
    const [data] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(data.toString())).toMatchObject({ code: 400, reason: 'INVALID_JSON' });
    expect(socket.readyState).toBe(socket.OPEN);
    socket.terminate();
  });

  it('of an unknown type, or with unknown, missing or wrong fields, gets error 400 VALIDATION_FAILED', async () => {
    for (const frame of [
      'null',
      '[]',
      '{}',
      '{"type":"game:finished"}',
      '{"type":["a"]}',
      '{"type":"lobby:join"}',
      '{"type":"game:ready","extra":1}',
      '{"type":"game:ready","__proto__":{"a":1}}',
    ])
      expect(await errorOf(ada, frame), frame).toEqual({
        type: 'error',
        code: 400,
        reason: 'VALIDATION_FAILED',
        message: expect.stringContaining('not valid'),
      });
  });
});

describe('ref', () => {
  it('is returned by the error that the message causes', async () => {
    for (const message of [
      { type: 'game:ready' },
      { type: 'lobby:join', code: 'ZZZZZZ' },
      { type: 'unknown' },
      { type: 'game:ready', unknown: 'field' },
    ])
      for (const ref of ['r', 'é'.repeat(64)]) {
        const seen = ada.messages.length;
        ada.send({ ...message, ref });
        expect(await ada.next('error', () => true, seen)).toMatchObject({ ref });
      }
  });

  it('is refused with 400 unless it is a string of 1–64 characters', async () => {
    for (const ref of ['', 'x'.repeat(65), 7, null, {}]) {
      const error = await errorOf(ada, JSON.stringify({ ...READY, ref }));
      expect(error).toMatchObject({ code: 400, reason: 'VALIDATION_FAILED' });
      expect(error).not.toHaveProperty('ref');
      expect(error).not.toHaveProperty('seq');
    }
  });
});

describe('a frame', () => {
  const frameOf = (bytes: number) => {
    const empty = JSON.stringify({ ...READY, ref: '' });
    return JSON.stringify({ ...READY, ref: 'x'.repeat(bytes - empty.length) });
  };

  it('of 16 KiB is read', async () => {
    expect(await errorOf(ada, frameOf(MAX_FRAME_BYTES))).toMatchObject({ reason: 'VALIDATION_FAILED' });
  });

  it('over 16 KiB closes the connection with 1009', async () => {
    ada.send(frameOf(MAX_FRAME_BYTES + 1));
    expect(await ada.whenClosed()).toBe(1009);
  });
});

describe('the messages of one connection', () => {
  it('are handled one after the other, in order', async () => {
    const { code } = (await ada.http.post('/api/v1/lobbies')).body;
    for (const message of [
      READY,
      { type: 'lobby:join', code },
      READY,
      { type: 'lobby:start' },
      { type: 'lobby:leave' },
      { ...READY, ref: 'end' },
    ])
      ada.send(message);
    await ada.next('error', ({ ref }) => ref === 'end');
    const replies = ada.messages.map((message) => (message.type === 'error' ? message.reason : message.type));
    expect(replies.filter((type) => type !== 'lobby:state')).toEqual([
      'NOT_IN_LOBBY',
      'NOT_ENOUGH_PLAYERS',
      'NOT_IN_LOBBY',
    ]);
    // The state comes for the join and for `game:ready`; that the user is connected may be announced between them.
    expect(replies.slice(0, 3)).toEqual(['NOT_IN_LOBBY', 'lobby:state', 'lobby:state']);
  });

  it('may be 40 at once, then 20 a second; others get error 429, and then the socket is closed with 1008', async () => {
    for (let sent = 0; sent < 70; sent++) ada.send({ ...READY, ref: `${sent}` });
    await eventually(() => expect(ada.messages).toHaveLength(70));
    const errors = ada.messages as Extract<ServerMessage, { type: 'error' }>[];
    const inBurst = errors.filter(({ ref }) => Number(ref) < 40);
    expect(inBurst.map(({ code }) => code)).toEqual(Array(40).fill(409));
    const over = errors.filter(({ code }) => code === 429);
    expect(over.length).toBeGreaterThan(0);
    expect(over[0]).toMatchObject({ reason: 'RATE_LIMITED', ref: expect.any(String) });
    expect(new Set(errors.map(({ ref }) => ref)).size).toBe(70);
    const [other] = await arena.players('Ben');
    for (let sent = 0; sent < 300; sent++) ada.send(READY);
    expect(await ada.whenClosed()).toBe(1008);
    expect(await other.refused(READY)).toMatchObject({ reason: 'NOT_IN_LOBBY' });
  });
});

describe('a failure', () => {
  it('of an unknown kind is error 500 INTERNAL_ERROR without its cause, and the connection stays open', async () => {
    const code = await gather([ada]);
    const [lobby] = lobbyKeys(lobbyIdOf(ada));
    const roster = (await arena.services.redis.hget(lobby, 'roster')) as string;
    await arena.services.redis.hset(lobby, 'roster', 'no JSON');
    const error = await ada.refused(READY);
    expect(error).toMatchObject({ code: 500, reason: 'INTERNAL_ERROR' });
    expect(error.message).toBe('Something went wrong on our side.');
    await arena.services.redis.hset(lobby, 'roster', roster);
    const seen = ada.messages.length;
    ada.send({ type: 'lobby:join', code });
    await ada.next('lobby:state', () => true, seen);
  });

  it('of a store is error 503 UNAVAILABLE, and the connection stays open', async () => {
    await gather([ada]);
    arena.stores.redis.pause();
    const error = await ada.refused(READY);
    arena.stores.redis.resume();
    expect(error).toMatchObject({ code: 503, reason: 'UNAVAILABLE' });
    const seen = ada.messages.length;
    await eventually(
      async () => {
        ada.send(READY);
        expect(ada.messages.slice(seen).at(-1)?.type).toBe('lobby:state');
      },
      { intervalMs: 200 },
    );
  });
});

it.each(['socket', 'stream'] as const)(
  'a client that does not read is disconnected, and the others get every event: a %s',
  async (kind) => {
    const [carl] = await arena.players('Carl');
    const ben = await arena.player('Ben', 0, kind);
    await ben.connect();
    await gather([ada, ben, carl]);
    ben.pause();
    const stored = await findById(arena.services.postgres, lobbyIdOf(ada));
    const roster = stored?.roster as NonNullable<typeof stored>['roster'];
    // Names that are longer than allowed make the events fill the send buffer.
    const players = roster.players.map((player) => ({ ...player, name: 'x'.repeat(20_000) }));
    const first = ada.lastSeq();
    for (let version = 100; version < 400; version++)
      await putRoster(arena.services, { roster: { ...roster, players }, version });
    for (const player of [ada, carl])
      await eventually(() => {
        const events = eventsOf(player).filter(({ seq }) => seq > first);
        expect(events.length).toBeGreaterThanOrEqual(300);
      });
    await ada.next('lobby:state', ({ lobby, seq }) => seq > first && !lobby.players[1]?.connected);
    ben.resume();
    expect(await ben.whenClosed()).toBe(1006);
    expect(eventsOf(ben).length).toBeLessThan(300);
  },
);
