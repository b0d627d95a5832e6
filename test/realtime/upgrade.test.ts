// An upgrade needs a session and a known origin. The service closes a socket with its session. [contract 5, 6, 10]
import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { createSessionCache } from '../../src/auth/sessions/secondary-storage.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { codeOf } from '../support/http-client.ts';
import { playerOf } from '../support/player.ts';
import { SHORT_OUTAGES } from '../support/service.ts';
import { advanceTime } from '../support/stopwatch.ts';
import { attemptUpgrade, connectAtOnce } from '../support/upgrade.ts';
import { sessionTokenOf, signIn } from '../support/users.ts';

/** The key of the example of RFC 6455. */
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const VERSION = { 'sec-websocket-version': '13' };
const FRIEND = 'https://play.example';

let url: string;
let cookie: string;
const arena = useArena({ workers: 0, env: { ...SHORT_OUTAGES, CORS_ORIGIN: FRIEND } });
beforeAll(async () => {
  url = arena.replicas[0].url;
  cookie = (await arena.player('Ada')).user.cookie;
});
afterEach(() => vi.restoreAllMocks());

describe('an upgrade of /ws', () => {
  it('without a valid session is refused with 401 UNAUTHENTICATED', async () => {
    const [name, value] = cookie.split('=') as [string, string];
    const forged = `${name}=${value.slice(0, -6)}AAAA%3D`;
    for (const headers of [{}, { cookie: 'session=1' }, { cookie: forged }]) {
      const { status, body, headers: sent } = await attemptUpgrade(`${url}/ws`, headers);
      expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED']);
      expect(sent['content-type']).toBe('application/problem+json');
    }
  });

  it('with a session that was ended is refused with 401, on every replica at once', async () => {
    const player = await arena.player('Ben');
    expect((await attemptUpgrade(`${url}/ws`, { cookie: player.user.cookie })).status).toBe(101);
    expect((await player.http.post('/api/auth/sign-out', {})).status).toBe(200);
    for (const replica of arena.replicas)
      expect((await attemptUpgrade(`${replica.url}/ws`, { cookie: player.user.cookie })).status).toBe(401);
  });

  it('gets 101 from native clients, the own page and CORS_ORIGIN, and 403 from any other Origin', async () => {
    for (const replica of arena.replicas) {
      const by = (headers: object) => attemptUpgrade(`${replica.url}/ws`, { cookie, ...headers });
      for (const headers of [{}, { origin: url }, { origin: FRIEND }]) expect((await by(headers)).status).toBe(101);
      for (const origin of ['https://evil.example', `${FRIEND}.evil.example`, 'null'])
        expect(codeOf(await by({ origin })), origin).toEqual([403, 'FORBIDDEN_ORIGIN']);
    }
  });

  it('is refused with 500 INTERNAL_ERROR when the check of its session fails', async () => {
    const { user } = await arena.player('Broken');
    await arena.services.redis.set(`auth:session:${sessionTokenOf(user.cookie)}`, `${Date.now() + 1000} no JSON`);
    const { status, body } = await attemptUpgrade(`${url}/ws`, { cookie: user.cookie });
    expect([status, body.code]).toEqual([500, 'INTERNAL_ERROR']);
  });

  it('that offers subprotocols gets none of them', async () => {
    const handshake = { upgrade: 'websocket', ...VERSION, 'sec-websocket-key': KEY };
    const headers = { connection: 'Upgrade', cookie, ...handshake, 'sec-websocket-protocol': 'chat, superchat' };
    const sent = request(`${url}/ws`, { agent: false, headers }).end();
    const [response, socket] = await once(sent, 'upgrade');
    socket.destroy();
    expect([response.statusCode, response.headers['sec-websocket-protocol']]).toEqual([101, undefined]);
  });

  it('loses no message that arrives together with it', async () => {
    const early = [1, 2, 3].map((number) => ({ type: 'game:ready', ref: `early-${number}` }));
    const { received, socket } = connectAtOnce(url, cookie, early);
    try {
      await eventually(() => {
        expect(received()).toContain('101 Switching Protocols');
        const refs = received().match(/early-\d/g);
        expect(refs).toEqual(['early-1', 'early-2', 'early-3']);
      });
    } finally {
      socket.destroy();
    }
  });
});

describe('a request that is no upgrade of /ws', () => {
  it('gets 426 when it is a plain GET of /ws', async () => {
    const response = await fetch(`${url}/ws`, { headers: { cookie } });
    expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket']);
    expect(await response.json()).toMatchObject({ status: 426, code: 'UPGRADE_REQUIRED' });
  });

  it('gets 405 when it has another method, and 404 when it is an upgrade of another path', async () => {
    expect((await fetch(`${url}/ws`, { method: 'POST' })).status).toBe(405);
    for (const path of ['/', '/ws/', '/api/health', '/api/v1/lobbies/7KQ2ZD'])
      expect(codeOf(await attemptUpgrade(`${url}${path}`, { cookie })), path).toEqual([404, 'ROUTE_NOT_FOUND']);
  });
});

describe('an upgrade that is answered by a plain response', () => {
  async function send(method: string, path: string, headers: object, body?: string) {
    const all = { connection: 'Upgrade', cookie, ...headers };
    const sent = request(`${url}${path}`, { method, agent: false, headers: all }).end(body);
    const [response] = await once(sent, 'response');
    return response;
  }

  it.each([
    ['without a version', {}],
    ['of another version', { 'sec-websocket-version': '7' }],
    ['with an invalid key', { ...VERSION, 'sec-websocket-key': 'x' }],
    ['with an invalid subprotocol', { ...VERSION, 'sec-websocket-key': KEY, 'sec-websocket-protocol': 'a,,b' }],
  ])('is refused with a problem when its handshake is one %s', async (_what, headers) => {
    const response = await send('GET', '/ws', { upgrade: 'websocket', ...headers });
    expect([response.statusCode, response.headers['content-type']]).toEqual([400, 'application/problem+json']);
    expect(await json(response)).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('is read with its body like any request when it is a POST', async () => {
    for (const upgrade of ['h2c', 'websocket']) {
      const type = { 'content-type': 'application/json', 'content-length': 14 };
      const response = await send('POST', '/api/v1/lobbies', { upgrade, ...type }, '{"capacity":3}');
      expect(response.statusCode).toBe(201);
      expect(await json(response)).toMatchObject({ capacity: 3 });
    }
  });
});

describe('signing out', () => {
  it('closes the sockets of that session with 4401 within 60 s, and no others', async () => {
    const [player] = await arena.players('Ada');
    const other = playerOf({ ...player.user, cookie: await signIn(arena.services, player.user.id) }, url);
    await other.connect();
    const elsewhere = playerOf(player.user, arena.replicas[1]?.url as string);
    await elsewhere.connect();
    await player.http.post('/api/auth/sign-out', {});
    advanceTime(60_000);
    expect(await player.whenClosed()).toBe(4401);
    expect(await elsewhere.whenClosed()).toBe(4401);
    expect(await other.refused({ type: 'game:ready' })).toMatchObject({ reason: 'NOT_IN_LOBBY' });
  });

  it('closes no socket while the check of sessions fails', async () => {
    const [player] = await arena.players('Ada');
    arena.stores.redis.pause();
    advanceTime(60_000);
    const { userSessions } = arena.services;
    const check = vi.spyOn(userSessions, 'findUser');
    await eventually(() => expect(check).toHaveBeenCalled());
    await expect(check.mock.results[0]?.value).rejects.toThrow();
    arena.stores.redis.resume();
    await eventually(async () => {
      expect(await player.refused({ type: 'game:ready' })).toMatchObject({ code: 409 });
    });
  });
});

it('the service pings every 30 s and drops a peer that missed two', async () => {
  const [player] = await arena.players('Ada');
  const silent = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    headers: { cookie: player.user.cookie },
    autoPong: false,
  });
  let pings = 0;
  silent.on('ping', () => pings++);
  const closed = new Promise((resolve) => silent.on('close', resolve));
  await new Promise((resolve) => silent.on('open', resolve));
  const now = performance.now.bind(performance);
  for (const count of [1, 2, 3]) {
    vi.spyOn(performance, 'now').mockImplementation(() => now() + count * 30_500);
    if (count < 3) await eventually(() => expect(pings).toBe(count));
  }
  expect(await closed).toBe(1006);
  expect(pings).toBe(2);
  expect(await player.refused({ type: 'game:ready' })).toMatchObject({ reason: 'NOT_IN_LOBBY' });
});

it('a step back of the machine’s clock does not extend the lifetime of a cached session', async () => {
  const [ada] = await arena.players('Ada');
  const { redis, db } = arena.services;
  const token = sessionTokenOf(ada.user.cookie);
  const sessions = createSessionCache(redis, db);
  expect(await sessions.read(token)).not.toBeNull();
  await db.session.delete({ where: { token } });
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now - 3_600_000);
  expect(await sessions.read(token)).toBeNull();
});
