// The service limits the open sockets of a user and of a client address, and frees the place of a closed one.
// [contract 17]
import { once } from 'node:events';
import { request } from 'node:http';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { SHORT_OUTAGES } from '../support/service.ts';
import { timed } from '../support/stopwatch.ts';
import { attemptUpgrade, openWebSocket, type UpgradeResponse } from '../support/upgrade.ts';

const PER_USER = 3;
const PER_ADDRESS = 6;
const env = { SOCKETS_PER_USER_MAX: `${PER_USER}`, SOCKETS_PER_ADDRESS_MAX: `${PER_ADDRESS}`, TRUST_PROXY: 'loopback' };

let userId: string;
let cookie: string;
let lastAddress = 0;
const open = new Set<WebSocket>();
const arena = useArena({ workers: 0, env: { ...SHORT_OUTAGES, ...env } });
beforeEach(async () => {
  ({ id: userId, cookie } = (await arena.player('Ada')).user);
});
afterEach(() => Promise.all([...open].map(close)));

const at = (replica: number) => `${arena.replicas[replica]?.url}/ws`;
/** @returns a client address that no other test uses */
const newAddress = () => `203.0.113.${++lastAddress}`;

interface Attempt {
  replica?: number;
  cookie?: string;
  address?: string;
}

/** Opens a socket until the end of the test. @returns it, or the refusal */
async function connect(attempt: Attempt = {}): Promise<WebSocket | UpgradeResponse> {
  const { replica = 0, address = newAddress(), ...headers } = attempt;
  const answer = await openWebSocket(at(replica), { cookie, 'x-forwarded-for': address, ...headers });
  if (answer instanceof WebSocket) open.add(answer);
  return answer;
}

async function close(socket: WebSocket): Promise<void> {
  open.delete(socket);
  if (socket.readyState === socket.CLOSED) return;
  socket.close();
  await once(socket, 'close');
}

const isOpen = (answer: WebSocket | UpgradeResponse) => answer instanceof WebSocket;

async function openMany(count: number, attempt: (index: number) => Attempt = () => ({})) {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => connect(attempt(i))));
  return {
    sockets: answers.filter((answer) => answer instanceof WebSocket),
    refusals: answers.filter((answer): answer is UpgradeResponse => !isOpen(answer)),
  };
}

function expectRefusal({ status, body, headers }: UpgradeResponse): void {
  expect([status, body.code, headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '5']);
  expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
}

describe('sockets of one user', () => {
  it('are never more than the limit over all replicas, however many upgrades are concurrent', async () => {
    const { sockets, refusals } = await openMany(20, (index) => ({ replica: index % 2 }));
    expect(sockets).toHaveLength(PER_USER);
    refusals.forEach(expectRefusal);
  });

  it('free their place within 1 s of a close', async () => {
    const { sockets } = await openMany(PER_USER);
    let leaving = sockets[0] as WebSocket;
    const delaysMs: number[] = [];
    const isInTime = (delayMs: number) => delayMs < 1000;
    // A busy machine may delay a reply, so that the test repeats until one place is freed in time.
    while (delaysMs.length < 5 && !delaysMs.some(isInTime)) {
      expect(isOpen(await connect({ replica: 1 }))).toBe(false);
      await close(leaving);
      const { result, tookMs } = await timed(() =>
        eventually(async () => {
          const answer = await connect({ replica: 1 });
          expect(isOpen(answer)).toBe(true);
          return answer as WebSocket;
        }),
      );
      leaving = result;
      delaysMs.push(tookMs);
    }
    expect(delaysMs.filter(isInTime)).toHaveLength(1);
    sockets[1]?.terminate();
    await eventually(async () => expect(isOpen(await connect({ replica: 1 }))).toBe(true));
  });

  it('do not include upgrades that fail', async () => {
    for (let count = 0; count < 3 * PER_USER; count++) {
      const headers = { connection: 'Upgrade', upgrade: 'websocket', cookie, 'x-forwarded-for': newAddress() };
      const [response] = await once(request(at(0), { headers, agent: false }).end(), 'response');
      response.resume();
      expect(response.statusCode).toBe(400);
    }
    await eventually(async () => expect((await openMany(PER_USER)).sockets).toHaveLength(PER_USER));
  });

  it('are refused with 503 while Redis is away, and open ones stay and are counted after its return', async () => {
    const { sockets } = await openMany(PER_USER);
    await arena.stores.redis.stop();
    expect(await connect()).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    await arena.stores.redis.start();
    const direct = new Redis(arena.stores.redisUrl);
    const places = await direct.keys('socket_leases:*');
    if (places.length > 0) await direct.del(...places);
    direct.disconnect();
    // Only the replica knows of the open sockets now.
    await eventually(
      async () => {
        const answer = await connect();
        if (answer instanceof WebSocket) await close(answer);
        expect((answer as UpgradeResponse).status).toBe(429);
      },
      { intervalMs: 300 },
    );
    expect(sockets.map(({ readyState }) => readyState)).toEqual(sockets.map(() => WebSocket.OPEN));
  });

  it('count for at most 20 s after a crash of their replica, which does not renew them any more', async () => {
    await openMany(1);
    const key = `socket_leases:{${userId.slice(-1)}}:${userId}`;
    const { redis } = arena.services;
    const [, expiresAtMs] = await redis.zrange(key, '0', '0', 'WITHSCORES');
    const leftMs = Number(expiresAtMs) - Date.now();
    expect(leftMs).toBeGreaterThan(5000);
    expect(leftMs).toBeLessThan(20_000);
    for (const crashed of ['one', 'two', 'three']) await redis.zadd(key, Date.now() - 1, crashed);
    expect((await openMany(PER_USER - 1)).sockets).toHaveLength(PER_USER - 1);
  });
});

describe('sockets of one client address', () => {
  /** Opens as many sockets as one address may have, as two users. */
  async function fill(address: string, replica = 0): Promise<void> {
    const users = await Promise.all([1, 2].map((number) => arena.player(`User ${number}`)));
    const cookies = users.map(({ user }) => user.cookie);
    const attempt = (index: number) => ({ address, replica, cookie: cookies[index % 2] as string });
    expect((await openMany(PER_ADDRESS, attempt)).sockets).toHaveLength(PER_ADDRESS);
  }

  it('are at most the limit on each replica, until one of them is closed', async () => {
    const address = newAddress();
    await fill(address);
    expectRefusal((await connect({ address })) as UpgradeResponse);
    expect(isOpen(await connect({ address, replica: 1 }))).toBe(true);
    expect(isOpen(await connect({ address: newAddress() }))).toBe(true);
    await close([...open][0] as WebSocket);
    await eventually(async () => expect(isOpen(await connect({ address }))).toBe(true));
  });

  it('are limited to ten times as many for a /48', async () => {
    const addressIn = (subnet: number) => `2001:db8:48:${subnet}::1`;
    for (let subnet = 0; subnet < 10; subnet++) await fill(addressIn(subnet));
    expectRefusal((await connect({ address: addressIn(10) })) as UpgradeResponse);
    expect(isOpen(await connect({ address: '2001:db8:49:10::1' }))).toBe(true);
    await close([...open][0] as WebSocket);
    await eventually(async () => expect(isOpen(await connect({ address: addressIn(10) }))).toBe(true));
  });

  it('are refused after 404 and the 403 of a foreign origin, and before 401', async () => {
    const address = newAddress();
    await fill(address);
    const headers = { 'x-forwarded-for': address };
    const statusOf = async (path: string, more: object = {}) =>
      (await attemptUpgrade(`${arena.replicas[0].url}${path}`, { ...headers, ...more })).status;
    expect(await statusOf('/nowhere')).toBe(404);
    expect(await statusOf('/ws', { origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf('/ws')).toBe(429);
    expect(await statusOf('/ws', { 'x-forwarded-for': newAddress() })).toBe(401);
  });
});
