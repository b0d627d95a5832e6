// The operator's console, which a worker serves on the port of its metrics. [contract 7]
import { randomUUID } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { connectionName } from '../../src/platform/redis/processes.ts';
import { connectRedis } from '../../src/platform/redis/redis.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { startGame } from '../support/game.ts';
import { captureLog } from '../support/log-capture.ts';
import { gather } from '../support/player.ts';
import { SHORT_OUTAGES } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';
import { basic, CONSOLE_TOKEN, useOperatorConsole } from './operator-console.ts';

const log = captureLog();
const arena = useArena({
  replicas: 1,
  env: { ...SHORT_OUTAGES, LOG_LEVEL: 'info', ROUND_DURATION_MS: '60000' },
  log: log.stream,
});
const operators = useOperatorConsole(() => arena.services);
const get = (path: string) => operators.get(path);

describe('the console', () => {
  it('lets nobody in without the token, to no page, and says which one it asks for', async () => {
    const wrong = ['', 'Basic', basic(''), basic(`${CONSOLE_TOKEN}x`), `Bearer ${CONSOLE_TOKEN}`];
    for (const path of ['/console/', '/console/lobbies', '/console/queues/api/queues', '/console/x'])
      for (const authorization of wrong) {
        const response = await fetch(`${operators.url}${path}`, { headers: { authorization } });
        expect([path, authorization, response.status]).toEqual([path, authorization, 401]);
        expect(response.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
        expect(response.headers.get('cache-control')).toBe('no-store');
        expect(await response.text()).toContain('CONSOLE_TOKEN');
      }
  });

  it('is not on the public port', async () => {
    const headers = { authorization: basic(CONSOLE_TOKEN) };
    expect((await fetch(new URL('/console/', arena.replicas[0].url), { headers })).status).toBe(404);
  });

  it('runs no foreign script, and is neither framed nor stored', async () => {
    for (const path of ['/console/', '/console/queues/', '/console/assets/refresh.js', '/console/x']) {
      const { headers } = await get(path);
      const policy = headers.get('content-security-policy')?.split(/; ?/);
      expect(policy).toEqual(expect.arrayContaining(["script-src 'self'", "frame-ancestors 'none'"]));
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('changes nothing for a page of another origin, or of none', async () => {
    const { id, email } = await createSignedInUser(arena.services);
    for (const origin of ['https://evil.example', 'null', arena.replicas[0].url])
      expect(await operators.submit('/console/accounts/delete', { email }, { origin })).toMatchObject({ status: 403 });
    const headers = { authorization: basic(CONSOLE_TOKEN) };
    const init = { method: 'POST', headers, body: new URLSearchParams({ email }) };
    expect((await fetch(`${operators.url}/console/accounts/delete`, init)).status).toBe(403);
    expect(await arena.services.db.user.count({ where: { id } })).toBe(1);
  });
});

test('the overview has the stores, the queues, and the processes with their versions', async () => {
  const { config } = arena.services;
  const logger = createLogger('silent', 'test');
  const connect = (version: string) => connectRedis(config.redis, 'commands', logger, connectionName('api', version));
  const newer = connect('7.7.7');
  await newer.ping();
  const { body } = await get('/console/');
  expect(body).toContain('<tr><td>PostgreSQL</td><td>ok</td></tr>');
  expect(body).toMatch(/<tr><td>mail<\/td>(<td>0<\/td>){4}<\/tr>/);
  expect(body).toContain(`<td>api</td><td>${arena.services.processName}</td><td>7.7.7</td>`);
  newer.disconnect();
});

test('while a store is away, the overview says so instead of failing', async () => {
  arena.stores.redis.pause();
  try {
    // The states are up to half a second old.
    await eventually(async () => {
      const { status, body } = await get('/console/');
      expect(status).toBe(200);
      expect(body).toContain('<td>PostgreSQL</td><td>ok</td>');
      expect(body).toMatch(/<td>Redis<\/td><td><span class="bad">down</);
      expect(body.match(/can’t be read/g)).toHaveLength(2);
    });
  } finally {
    arena.stores.redis.resume();
  }
});

describe('the running lobbies', () => {
  it('are listed with their phase, and a lobby’s page has its history without the open answer', async () => {
    const { code } = await startGame(arena, { rounds: 5 });
    const { body } = await get('/console/lobbies');
    expect(body).toMatch(new RegExp(`>${code}</a></td><td>round 1, 0 of 2 answered</td><td>2 of \\d+</td><td>\\d+ s<`));
    const found = await get(`/console/find?code=${code.toLowerCase()}`);
    expect(found.headers.get('location')).toBe(`/console/lobbies/${code}`);
    const lobby = await get(`/console/lobbies/${code}`);
    expect(lobby.body).toContain(`Lobby ${code}, running`);
    expect(lobby.body).toMatch(/game:question +1 of 5 /);
    expect(lobby.body).not.toMatch(/correct(OptionId|Text)/);
  });

  it('are read in pages, of which each lobby is on one', async () => {
    const { id: hostId } = await createSignedInUser(arena.services);
    const codes = Array.from({ length: 120 }, (_, at) => `Z${String(at).padStart(5, '0')}`);
    const like = { hostId, capacity: 8, playerCount: 1, settings: {}, activeAt: new Date('2026-01-01') };
    const lobbies = codes.map((code) => ({ ...like, code, status: 'running' as const, gameId: randomUUID() }));
    await arena.services.db.lobby.createMany({ data: lobbies });
    const seen: string[] = [];
    for (let path = '/console/lobbies', pages = 0; pages < 5; pages += 1) {
      const { body } = await get(path);
      seen.push(...[...body.matchAll(/>(Z\d{5})</g)].map(([, code]) => code));
      const [, next] = /href="(\?after=[^"]+)"/.exec(body) ?? [];
      if (!next) break;
      path = `/console/lobbies${next}`;
    }
    expect(seen.toSorted()).toEqual(codes);
    expect((await get('/console/lobbies?after=x')).status).toBe(400);
    await arena.services.db.lobby.deleteMany({ where: { code: { in: codes } } });
  });

  it('that do not exist, and texts that are no code, are refused', async () => {
    expect(await get('/console/lobbies/000000')).toMatchObject({ status: 404 });
    expect(await get('/console/lobbies/%3Cb%3E')).toMatchObject({ status: 404 });
    expect((await get('/console/find?code=what')).body).toContain('six letters and digits');
  });

  it('show names as text', async () => {
    const [eve] = await arena.players('<b>Eve</b>');
    const { body } = await get(`/console/lobbies/${await gather([eve])}`);
    expect(body).toContain('&lt;b&gt;Eve&lt;/b&gt;');
    expect(body).not.toContain('<b>');
  });
});

describe('an account', () => {
  it('is found by its address, and signed out, in the name of the operator', async () => {
    const { id, email } = await createSignedInUser(arena.services);
    const found = await operators.submit('/console/accounts', { email: email.toUpperCase() });
    expect(found.body).toContain(id);
    expect(found.body).toContain('action="/console/accounts/sign-out"');
    log.clear();
    const done = await operators.submit('/console/accounts/sign-out', { email });
    expect(done.body).toContain('Signed out: 1 session(s).');
    expect(await arena.services.db.session.count({ where: { userId: id } })).toBe(0);
    expect(log.lines().filter(({ audit }) => audit)).toMatchObject([
      { event: 'sign-out', reason: 'BY_OPERATOR', operator: 'grace', userId: id },
    ]);
    expect(log.text()).not.toContain(email);
  });

  it('is deleted once, and unknown from then on', async () => {
    const { id, email } = await createSignedInUser(arena.services);
    const remove = () => operators.submit('/console/accounts/delete', { email });
    expect((await remove()).body).toContain('Deleted.');
    expect(await arena.services.db.user.count({ where: { id } })).toBe(0);
    expect(await remove()).toMatchObject({ status: 404 });
  });

  it('keeps what no action of the console names', async () => {
    const { email } = await createSignedInUser(arena.services);
    for (const action of ['promote', '__proto__'])
      expect(await operators.submit(`/console/accounts/${action}`, { email })).toMatchObject({ status: 404 });
    for (const fields of [{ email: 'x'.repeat(300) }, {}])
      expect(await operators.submit('/console/accounts/delete', fields)).toMatchObject({ status: 404 });
    expect((await operators.submit('/console/accounts', { email: 'x'.repeat(5000) })).status).toBe(413);
  });
});
