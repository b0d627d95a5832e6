// Who gets a socket, and how it ends when its replica or its session does. [contract 5, 6, 10]
import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { collectGarbage } from '../support/garbage.ts';
import { gather, type Player, playerOf } from '../support/player.ts';
import { startService, type TestService } from '../support/service.ts';
import { attemptUpgrade, connectAtOnce } from '../support/upgrade.ts';
import { createSignedInUser, signIn } from '../support/users.ts';

const FRIEND = 'https://play.example';

let url: string;
let cookie: string;
const arena = useArena({ workers: 0, env: { CORS_ORIGIN: FRIEND } });
beforeAll(async () => {
  url = arena.replicas[0]?.url as string;
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
    for (const replica of arena.replicas) {
      const answer = await attemptUpgrade(`${replica.url}/ws`, { cookie: player.user.cookie });
      expect(answer.status).toBe(401);
    }
  });

  it('keeps neither its request nor the answer: an idle socket would hold little else', async () => {
    const [{ app }] = arena.replicas as [TestService];
    const upgrades: WeakRef<object>[] = [];
    app.websocketServer.once('connection', (_socket, upgrade) => {
      upgrades.push(new WeakRef(upgrade));
    });
    const player = await arena.player('Ben');
    await player.connect();
    await eventually(() => {
      collectGarbage();
      expect(upgrades.map((upgrade) => upgrade.deref())).toEqual([undefined]);
    });
    expect(await player.refused({ type: 'lobby:start' })).toMatchObject({ reason: 'NOT_IN_LOBBY' });
  });

  it.each([
    ['none at all, as from native clients', undefined, 101],
    ['the service’s own', 'own', 101],
    ['one of CORS_ORIGIN', FRIEND, 101],
    ['another', 'https://evil.example', 403],
    ['one that begins like a good one', `${FRIEND}.evil.example`, 403],
    ['none worth naming', 'null', 403],
  ])('with the Origin being %s', async (_kind, origin, status) => {
    for (const replica of arena.replicas) {
      const headers = { cookie, ...(origin ? { origin: origin === 'own' ? url : origin } : {}) };
      const answer = await attemptUpgrade(`${replica.url}/ws`, headers);
      expect(answer.status).toBe(status);
      if (status === 403) expect(answer.body.code).toBe('FORBIDDEN_ORIGIN');
    }
  });

  it('while the session check fails is refused with 500 INTERNAL_ERROR', async () => {
    const { user } = await arena.player('Broken');
    const [, value = ''] = user.cookie.split('=');
    const [token] = decodeURIComponent(value).split('.');
    const copy = `auth:session:${token}`;
    await arena.replicas[0]?.services.redis.set(copy, '9999999999999 no JSON');
    const { status, body } = await attemptUpgrade(`${url}/ws`, { cookie: user.cookie });
    expect([status, body.code]).toEqual([500, 'INTERNAL_ERROR']);
  });

  it('with Redis away is refused with 503 UNAVAILABLE', async () => {
    arena.stores.redis.pause();
    try {
      const { status, body, headers } = await attemptUpgrade(`${url}/ws`, { cookie });
      expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
      expect(headers['retry-after']).toMatch(/^\d+$/);
    } finally {
      arena.stores.redis.resume();
    }
    await eventually(async () => {
      expect((await attemptUpgrade(`${url}/ws`, { cookie })).status).toBe(101);
    });
  });

  it('loses no message that comes with it, before any answer', async () => {
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

describe('everything else at that address', () => {
  it('a plain GET of /ws is 426', async () => {
    const response = await fetch(`${url}/ws`, { headers: { cookie } });
    expect(response.status).toBe(426);
    expect(response.headers.get('upgrade')).toBe('websocket');
    expect(await response.json()).toMatchObject({ status: 426, code: 'UPGRADE_REQUIRED' });
  });

  it('another method is 405', async () => {
    const response = await fetch(`${url}/ws`, { method: 'POST' });
    expect(response.status).toBe(405);
  });

  it.each(['/', '/nowhere', '/ws/', '/ws/x', '/api/health', '/docs', '/api/v1/lobbies/7KQ2ZD'])(
    'an upgrade of another path is 404: %s',
    async (path) => {
      const { status, body } = await attemptUpgrade(`${url}${path}`, { cookie });
      expect([status, body.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
    },
  );
});

describe('who asks for an upgrade and gets a plain answer', () => {
  it.each([
    ['GET', '/api/health', 'h2c', 200],
    ['OPTIONS', '/ws', 'websocket', 204],
    ['GET', '/nowhere', 'websocket', 404],
  ])('%s %s to %s: %i, and the connection ends', async (method, path, upgrade, status) => {
    const headers = { connection: 'Upgrade', upgrade };
    const asked = request(`${url}${path}`, { method, headers, agent: false }).end();
    const [response] = await once(asked, 'response');
    expect(response.statusCode).toBe(status);
    response.resume();
    await once(response.socket, 'close');
  });
});

describe('a replica that is told to stop', () => {
  it('says draining, takes no new sockets, and closes its own with 1012; clients reconnect', async () => {
    const { config, services } = arena.replicas[0] as TestService;
    const going = await startService(arena.stores, {
      BETTER_AUTH_SECRET: config.auth.secret,
      BETTER_AUTH_URL: url,
    });
    const user = await createSignedInUser(services);
    const player = playerOf(user, going.url);
    await player.connect();
    const others = await arena.players('Ada', 'Ben');
    const code = await gather(others);
    await player.http.post(`/api/v1/lobbies/${code}/join`);
    player.send({ type: 'lobby:join', code });
    const ada = others[0] as Player;
    const isThere = (connected: boolean, after = 0) =>
      ada.next('lobby:state', ({ lobby }) => lobby.players[2]?.connected === connected, after);
    await isThere(true);
    let seen = ada.messages.length;
    going.services.lifecycle.draining = true;
    const health = await fetch(`${going.url}/api/health`);
    expect(health.status).toBe(503);
    expect(await health.json()).toMatchObject({ status: 'draining' });
    const refused = await attemptUpgrade(`${going.url}/ws`, { cookie: user.cookie });
    expect(refused.status).toBe(503);
    const stopped = going.stop();
    expect(await player.whenClosed()).toBe(1012);
    await stopped;
    await isThere(false, seen);
    seen = ada.messages.length;
    await player.connect(url);
    player.send({ type: 'lobby:join', code, since: player.lastSeq() });
    await isThere(true, seen);
  });
});

describe('signing out', () => {
  /** What the sockets take the time for. */
  function passTime(ms: number): void {
    const now = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + ms);
  }

  it('closes the sockets of that session with 4401 within 60 s, and no others', async () => {
    const [player] = (await arena.players('Ada')) as [Player];
    const { services } = arena.replicas[0] as TestService;
    const other = playerOf({ ...player.user, cookie: await signIn(services, player.user.id) }, url);
    await other.connect();
    const elsewhere = playerOf(player.user, arena.replicas[1]?.url as string);
    await elsewhere.connect();
    await player.http.post('/api/auth/sign-out', {});
    passTime(60_000);
    expect(await player.whenClosed()).toBe(4401);
    expect(await elsewhere.whenClosed()).toBe(4401);
    expect(await other.refused({ type: 'game:ready' })).toMatchObject({ reason: 'NOT_IN_LOBBY' });
  });

  it('and a check that fails closes nobody', async () => {
    const [player] = (await arena.players('Ada')) as [Player];
    arena.stores.redis.pause();
    passTime(60_000);
    const { userSessions } = (arena.replicas[0] as TestService).services;
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
  const [player] = (await arena.players('Ada')) as [Player];
  const mute = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    ...{ headers: { cookie: player.user.cookie }, autoPong: false },
  });
  let pings = 0;
  mute.on('ping', () => pings++);
  const closed = new Promise((resolve) => mute.on('close', resolve));
  await new Promise((resolve) => mute.on('open', resolve));
  const now = Date.now;
  for (const count of [1, 2, 3]) {
    vi.spyOn(Date, 'now').mockImplementation(() => now() + count * 30_500);
    if (count < 3) await eventually(() => expect(pings).toBe(count));
  }
  expect(await closed).toBe(1006);
  expect(pings).toBe(2);
  expect(await player.refused({ type: 'game:ready' })).toMatchObject({ reason: 'NOT_IN_LOBBY' });
});
