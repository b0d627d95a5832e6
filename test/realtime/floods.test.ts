// The service refuses the messages of a socket that sends too many, closes it, and handles what it has
// accepted. [contract 17]
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type WebSocket from 'ws';
import { findById } from '../../src/lobby/store.ts';
import type { ServerMessage } from '../../src/realtime/schema.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { lobbyIdOf } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';
import { SHORT_OUTAGES } from '../support/service.ts';
import { timed } from '../support/stopwatch.ts';
import { connectAtOnce, openWebSocket } from '../support/upgrade.ts';

let ada: Player;
const arena = useArena({ workers: 0, replicas: 1, env: SHORT_OUTAGES });
beforeEach(async () => {
  [ada] = await arena.players('Ada');
});
afterEach(() => vi.restoreAllMocks());

const READY = { type: 'game:ready' };
const url = () => arena.replicas[0].url;
const refusalsOf = (messages: ServerMessage[]) =>
  messages.filter((message) => message.type === 'error' && message.code === 429);

async function openSocket(): Promise<{ socket: WebSocket; messages: ServerMessage[] }> {
  const socket = (await openWebSocket(`${url()}/ws`, { cookie: ada.user.cookie })) as WebSocket;
  const messages: ServerMessage[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(data.toString())));
  return { socket, messages };
}

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
      const peer = connectAtOnce(url(), ada.user.cookie, messages);
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
