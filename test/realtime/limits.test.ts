// A socket may send messages of a bounded size and rate, and gets an error for any other. The service closes a socket
// that sends too many, and handles what it has accepted. [contract 5, 17]
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type WebSocket from 'ws';
import { putRoster } from '../../src/lobby/event-log.ts';
import { lobbyKeys } from '../../src/lobby/keys.ts';
import { findById } from '../../src/lobby/store.ts';
import type { ServerMessage } from '../../src/realtime/schema.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { eventsOf, lobbyIdOf } from '../support/game.ts';
import { create, gather, type Player } from '../support/player.ts';
import { SHORT_OUTAGES } from '../support/service.ts';
import { timed } from '../support/stopwatch.ts';
import { connectToRedis } from '../support/stores.ts';
import { connectAtOnce, openWebSocket } from '../support/upgrade.ts';

let ada: Player;
const arena = useArena({ workers: 0, replicas: 1, env: SHORT_OUTAGES });
beforeEach(async () => {
  [ada] = await arena.players('Ada');
});
afterEach(() => vi.restoreAllMocks());

const realNow = Date.now;
const READY = { type: 'game:ready' };
const refusalsOf = (messages: ServerMessage[]) =>
  messages.filter((message) => message.type === 'error' && message.code === 429);
const MAX_FRAME_BYTES = 16 * 1024;

async function openSocket(): Promise<{ socket: WebSocket; messages: ServerMessage[] }> {
  const socket = (await openWebSocket(`${arena.replicas[0].url}/ws`, { cookie: ada.user.cookie })) as WebSocket;
  const messages: ServerMessage[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(data.toString())));
  return { socket, messages };
}

/** Sends a frame and expects that the connection stays open. @returns the error */
async function errorOf(player: Player, frame: string): Promise<ServerMessage> {
  const error = await player.nextAfter(() => player.send(frame), 'error');
  expect(await player.refused(READY)).toMatchObject({ reason: 'NOT_IN_LOBBY' });
  return error;
}

describe('a message', () => {
  it('that is not JSON gets error 400 INVALID_JSON, and the connection stays open', async () => {
    const error = { type: 'error', code: 400, reason: 'INVALID_JSON', message: expect.any(String) };
    for (const frame of ['', '{', "{'type':'game:ready'}", '{"type":"game:ready",}', '\u0000'])
      expect(await errorOf(ada, frame), frame).toEqual(error);
  });

  it('in a binary frame gets error 400 INVALID_JSON', async () => {
    const { socket, messages } = await openSocket();
    socket.send(Buffer.from(JSON.stringify(READY)), { binary: true });
    await eventually(() => expect(messages).toMatchObject([{ code: 400, reason: 'INVALID_JSON' }]));
    expect(socket.readyState).toBe(socket.OPEN);
    socket.terminate();
  });

  it('of an unknown type, or with unknown, missing or wrong fields, gets error 400 VALIDATION_FAILED', async () => {
    const message = expect.stringContaining('not valid');
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
        message,
      });
  });
});

it('a ref is refused with 400 unless it is a string of 1–64 characters', async () => {
  for (const ref of ['', 'x'.repeat(65), 7, null, {}]) {
    const error = await errorOf(ada, JSON.stringify({ ...READY, ref }));
    expect(error).toMatchObject({ code: 400, reason: 'VALIDATION_FAILED' });
    for (const field of ['ref', 'seq']) expect(error).not.toHaveProperty(field);
  }
  expect(await errorOf(ada, JSON.stringify({ ...READY, ref: 'é'.repeat(64) }))).toMatchObject({ code: 409 });
});

it('a frame of 16 KiB is read, and one over 16 KiB closes the connection with 1009', async () => {
  const empty = JSON.stringify({ ...READY, ref: '' });
  const frameOf = (bytes: number) => JSON.stringify({ ...READY, ref: 'x'.repeat(bytes - empty.length) });
  expect(await errorOf(ada, frameOf(MAX_FRAME_BYTES))).toMatchObject({ reason: 'VALIDATION_FAILED' });
  ada.send(frameOf(MAX_FRAME_BYTES + 1));
  expect(await ada.whenClosed()).toBe(1009);
});

describe('the messages of one connection', () => {
  it('are handled one after the other, in order', async () => {
    const { code } = await create(ada);
    const [start, leave] = [{ type: 'lobby:start' }, { type: 'lobby:leave' }];
    for (const message of [READY, { type: 'lobby:join', code }, READY, start, leave]) ada.send(message);
    await ada.refused(READY);
    const replies = ada.messages.map((message) => (message.type === 'error' ? message.reason : message.type));
    const refusals = replies.filter((type) => type !== 'lobby:state');
    expect(refusals).toEqual(['NOT_IN_LOBBY', 'NOT_ENOUGH_PLAYERS', 'NOT_IN_LOBBY']);
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
    const message = 'Something went wrong on our side.';
    expect(await ada.refused(READY)).toMatchObject({ code: 500, reason: 'INTERNAL_ERROR', message });
    await arena.services.redis.hset(lobby, 'roster', roster);
    await ada.nextAfter({ type: 'lobby:join', code }, 'lobby:state');
  });

  it('of a store is error 503 UNAVAILABLE, and the connection stays open', async () => {
    await gather([ada]);
    arena.stores.redis.pause();
    const error = await ada.refused(READY);
    arena.stores.redis.resume();
    expect(error).toMatchObject({ code: 503, reason: 'UNAVAILABLE' });
    await eventually(() => ada.acked(READY), { intervalMs: 200 });
    await ada.nextAfter(READY, 'lobby:state');
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
    // The services would give up after a second, which a busy machine may take for such an event.
    const redis = connectToRedis(arena.stores);
    onTestFinished(() => redis.disconnect());
    for (let version = 100; version < 400; version++)
      await putRoster({ ...arena.services, redis }, { roster: { ...roster, players }, version });
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

describe('frames over the limit', () => {
  it.each([
    ['pings', (socket: WebSocket) => socket.ping()],
    ['pongs', (socket: WebSocket) => socket.pong()],
    ['binary frames', (socket: WebSocket) => socket.send(Buffer.from('x'))],
  ])(
    '%s count as messages: they get error 429 with retryAfterMs, and then the socket is closed with 1008',
    async (_kind, send) => {
      const { socket, messages } = await openSocket();
      for (let sent = 0; sent < 60; sent++) send(socket);
      await eventually(() => expect(refusalsOf(messages).length).toBeGreaterThanOrEqual(15));
      expect(refusalsOf(messages)[0]).toMatchObject({ reason: 'RATE_LIMITED', retryAfterMs: expect.any(Number) });
      for (let sent = 0; sent < 100; sent++) send(socket);
      const [code] = await once(socket, 'close');
      expect(code).toBe(1008);
      expect(refusalsOf(messages)).toHaveLength(40);
    },
  );

  it('a message in more fragments than the limit closes the socket with 1008', async () => {
    const { socket } = await openSocket();
    for (let sent = 0; sent < 200; sent++) socket.send('', { fin: false });
    const [code] = await once(socket, 'close');
    expect(code).toBe(1008);
  });

  it('accepted messages are handled before the close with 1008, and later ones are not read', async () => {
    const messages = Array.from({ length: 300 }, (_, sent) => ({ ...READY, ref: `n-${sent}.` }));
    // This peer ignores the close frame and continues to send.
    const { tookMs, result: received } = await timed(async () => {
      const peer = connectAtOnce(arena.replicas[0].url, ada.user.cookie, messages);
      const sending = setInterval(() => peer.socket.write('x'), 50);
      peer.socket.on('error', () => {});
      await new Promise((resolve) => peer.socket.once('close', resolve));
      clearInterval(sending);
      return peer.received();
    });
    const codes = [...received.matchAll(/"code":(\d+)/g)].map(([, code]) => code);
    expect(codes.filter((code) => code === '409').length).toBeGreaterThanOrEqual(40);
    expect(codes.filter((code) => code === '429')).toHaveLength(40);
    expect(received.match(/n-\d+\./g)).not.toContain('n-299.');
    expect(received).toContain('too many messages');
    expect(tookMs).toBeLessThan(5000);
  });
});

describe('while a store does not reply', () => {
  afterEach(() => arena.stores.redis.resume());

  it('at most 40 messages of a socket wait, and further ones get error 429', async () => {
    await gather([ada]);
    // The join has taken one of the 40 messages; another comes after 50 ms.
    await sleep(500);
    arena.stores.redis.pause();
    const seen = ada.messages.length;
    for (let sent = 0; sent < 40; sent++) ada.send(READY);
    const beyond = Array.from({ length: 5 }, (_, at) => `beyond ${at}`);
    for (const ref of beyond) ada.send({ ...READY, ref });
    await ada.next('error', ({ ref }) => ref === beyond.at(-1), seen);
    expect(refusalsOf(ada.messages.slice(seen))).toMatchObject(beyond.map((ref) => ({ ref })));
  });

  it('waiting messages are dropped when the peer disconnects, apart from lobby:leave', async () => {
    await gather([ada]);
    const lobbyId = lobbyIdOf(ada);
    await sleep(1000);
    arena.stores.redis.pause();
    for (let sent = 0; sent < 30; sent++) ada.send(READY);
    ada.send({ type: 'lobby:leave' });
    ada.drop();
    // No event tells that the service has noticed it.
    await sleep(300);
    const reads = vi.spyOn(arena.services.redis, 'hmget');
    arena.stores.redis.resume();
    await eventually(async () => expect(await findById(arena.services.postgres, lobbyId)).toBeNull());
    expect(reads.mock.calls.length).toBeLessThan(5);
  });

  it('a socket that sends too much is cut within 3 s although accepted messages still wait', async () => {
    await gather([ada]);
    await sleep(1000);
    arena.stores.redis.pause();
    for (let sent = 0; sent < 100; sent++) ada.send(READY);
    const { tookMs } = await timed(() => ada.whenClosed());
    expect(tookMs).toBeLessThan(4500);
  });
});

describe('when the machine’s clock is changed, by which nothing is measured [contract 5, 17]', () => {
  /** Sets the clock of this process, in which the replica runs. @param byMs how far it is ahead of the real time */
  function stepClock(byMs: number): void {
    vi.spyOn(Date, 'now').mockImplementation(() => realNow() + byMs);
  }

  it('a step back does not change a socket’s allowance of 20 messages a second', async () => {
    for (let sent = 0; sent < 45; sent++) ada.send(READY);
    await ada.next('error', ({ code }) => code === 429);
    stepClock(-3_600_000);
    await sleep(2000);
    const seen = ada.messages.length;
    for (let sent = 0; sent < 20; sent++) ada.send(READY);
    await eventually(() => expect(ada.messages.length).toBe(seen + 20));
    expect(ada.messages.slice(seen)).toEqual(Array(20).fill(expect.objectContaining({ reason: 'NOT_IN_LOBBY' })));
  });

  it('steps ahead close no socket for pings that were not due', async () => {
    ada.pause();
    for (const minutes of [1, 2, 3]) {
      stepClock(minutes * 60_000);
      // The replica checks every second whether a ping is due.
      await sleep(1100);
    }
    ada.resume();
    expect(await ada.refused(READY)).toMatchObject({ reason: 'NOT_IN_LOBBY' });
  });
});
