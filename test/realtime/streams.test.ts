// A stream of server-sent events is to a member what a socket is. [contract 24]
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lobbyKeys, socketsKey } from '../../src/lobby/keys.ts';
import type { Lobby } from '../../src/lobby/schema.ts';
import { limitKey } from '../../src/platform/redis/limits.ts';
import type { ServerEvent } from '../../src/realtime/schema.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { appendEvents, eventsOf, lobbyIdOf, openLobby, startGame, startGameOf } from '../support/game.ts';
import { codeOf } from '../support/http-client.ts';
import { type Player, playerOf, postUntilDone } from '../support/player.ts';
import { startService, type TestService } from '../support/service.ts';
import { advanceTime } from '../support/stopwatch.ts';
import { isStream, openStream, type StreamRefusal, type TestStream } from '../support/stream.ts';

const PER_USER = 3;
const env = { SOCKETS_PER_USER_MAX: `${PER_USER}`, TRUST_PROXY: 'loopback' };
const arena = useArena({ env: { ...env, RATE_LIMIT_CODE_MISS_MAX: '4', ROUND_DURATION_MS: '30000' } });
const open = new Set<TestStream>();
let lastAddress = 0;
afterEach(() => {
  for (const stream of open) stream.drop();
  open.clear();
});

const replica = (at: number) => arena.replicas[at] as TestService;
/** @returns a client address that no other test uses */
const newAddress = () => `203.0.113.${++lastAddress}`;

interface Attempt {
  at?: number;
  query?: string;
  lastEventId?: string;
  headers?: Record<string, string>;
}

async function attempt({ user }: Player, code: string, { at = 0, query = '', lastEventId, headers }: Attempt = {}) {
  const position = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const sent = { cookie: user.cookie, 'x-forwarded-for': newAddress(), ...position, ...headers };
  const answer = await openStream(replica(at).url, `/api/v1/lobbies/${code}/events${query}`, sent);
  if (isStream(answer)) open.add(answer);
  return answer;
}

async function follow(player: Player, code: string, how: Attempt = {}): Promise<TestStream> {
  return eventually(async () => {
    const answer = await attempt(player, code, how);
    if (!isStream(answer)) throw new Error(JSON.stringify(answer.body));
    return answer;
  });
}

async function refusalOf(player: Player, code: string, how: Attempt = {}) {
  const answer = await attempt(player, code, how);
  if (isStream(answer)) throw new Error('the stream was opened');
  return codeOf(answer);
}

const numbersOf = ({ messages }: TestStream) => messages.map((message) => ('seq' in message ? message.seq : null));
const idOf = ({ seq, mark }: ServerEvent) => `${seq}-${mark}`;

describe('a stream', () => {
  it('begins at once, is not to be cached, buffered or changed, and has a comment every 15 s', async () => {
    const { ada, code } = await openLobby(arena);
    const stream = await follow(ada, code, { query: `?since=${ada.lastSeq()}` });
    await eventually(() => expect(stream.blocks[0]).toEqual({ retry: '1000', isComment: false }));
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    advanceTime(15_000);
    await eventually(() => expect(stream.blocks.some(({ isComment }) => isComment)).toBe(true));
  });

  it('has a snapshot whose last message alone has an id, then what a socket gets, each with its id', async () => {
    const { ada, code } = await startGame(arena);
    const stream = await follow(ada, code, { at: 1 });
    await eventually(() => expect(stream.messages).toHaveLength(2));
    expect(stream.messages).toMatchObject([
      { type: 'lobby:state', snapshot: true },
      { type: 'game:question', snapshot: true },
    ]);
    const first = stream.blocks.filter(({ data }) => data);
    expect(first.map(({ id }) => id)).toEqual([undefined, idOf(stream.messages[1] as ServerEvent)]);
    const seen = eventsOf(ada).length;
    await appendEvents(replica(0).services, lobbyIdOf(ada), 3);
    await eventually(() => expect([eventsOf(ada).length - seen, stream.messages.length - 2]).toEqual([3, 3]));
    expect(stream.messages.slice(2)).toEqual(eventsOf(ada).slice(seen));
    const ids = stream.blocks.filter(({ data }) => data).map(({ id }) => id);
    expect(ids.slice(2)).toEqual(eventsOf(ada).slice(seen).map(idOf));
  });

  it('goes on after Last-Event-ID, on another replica too; the query counts without a valid one', async () => {
    const { ada, ben, code } = await startGame(arena);
    await appendEvents(replica(0).services, lobbyIdOf(ada), 5);
    const head = Number(await replica(0).services.redis.hget(lobbyKeys(lobbyIdOf(ada))[0], 'seq'));
    for (const player of [ada, ben]) await player.next('lobby:state', ({ seq }) => seq === head);
    const events = eventsOf(ada);
    const later = (seq: number) => events.filter((event) => event.seq > seq);
    const third = events.at(-3) as ServerEvent;
    const query = `?since=${head - 1}&mark=${events.at(-2)?.mark}`;
    for (const at of [0, 1]) {
      const named = await follow(ben, code, { at, lastEventId: idOf(third), query });
      await eventually(() => expect(named.messages).toEqual(later(third.seq)));
      expect(named.lastId()).toBe(idOf(events.at(-1) as ServerEvent));
      for (const lastEventId of ['7', 'x-y', `${third.seq}-`, `-1-${third.mark}`]) {
        const asked = await follow(ben, code, { at, lastEventId, query });
        await eventually(() => expect(asked.messages).toEqual(later(head - 1)));
        asked.drop();
      }
      named.drop();
    }
    const other = await follow(ben, code, { lastEventId: `${third.seq}-0123456789abcdef` });
    await eventually(() =>
      expect(other.messages[1]).toMatchObject({ type: 'game:question', seq: head, snapshot: true }),
    );
  });
});

describe('the end of a stream', () => {
  it('comes after 60 s with 1012, and whoever comes back within 5 s stays connected for the others', async () => {
    const { ada, ben, code, lobbyId } = await openLobby(arena);
    const isAway = ({ lobby }: { lobby: Lobby }) => lobby.players[1]?.connected === false;
    const last = ada.lastSeq();
    ben.drop();
    const { seq: awaySeq } = await ada.next('lobby:state', (state) => state.seq > last && isAway(state));
    const stream = await follow(ben, code, { at: 1 });
    await ada.next('lobby:state', (state) => state.seq > awaySeq && !isAway(state));
    const seen = ada.messages.length;
    advanceTime(60_000);
    const data = expect.stringContaining('{"code":1012,"reason":');
    expect(await stream.ended).toMatchObject({ event: 'close', data });
    const { redis } = replica(0).services;
    const sockets = socketsKey(lobbyId);
    const entries = await redis.zrange(sockets, '0', '-1');
    const first = entries.find((entry) => entry.startsWith(ben.user.id)) as string;
    const back = await follow(ben, code, { lastEventId: stream.lastId() as string });
    // The entry of the first stream expires.
    expect(await redis.zadd(sockets, 'XX', 'CH', Date.now() - 1, first)).toBe(1);
    await eventually(async () => expect(await redis.zscore(sockets, first)).toBeNull());
    const states = ada.messages.slice(seen).filter((message) => message.type === 'lobby:state');
    expect(states.filter(isAway)).toEqual([]);
    advanceTime(120_000);
    await back.ended;
    await ada.next('lobby:state', isAway, ada.messages.length);
  });

  it('comes with 1012 when its replica stops, whose places are free at once, and it resumes on another', async () => {
    const { config } = replica(0);
    const secrets = { BETTER_AUTH_SECRET: config.auth.secret, BETTER_AUTH_URL: config.auth.publicUrl };
    const stopping = await startService(arena.stores, { ...env, ...secrets });
    const { ada, ben, code } = await openLobby(arena);
    const headers = { cookie: ben.user.cookie };
    const path = `/api/v1/lobbies/${code}/events`;
    const streams = (await Promise.all([1, 2].map(() => openStream(stopping.url, path, headers)))) as TestStream[];
    await eventually(() => expect(streams.every(({ messages }) => messages.length > 0)).toBe(true));
    expect((await refusalOf(ben, code))[0]).toBe(429);
    stopping.services.lifecycle.draining = true;
    const refused = (await openStream(stopping.url, path, headers)) as StreamRefusal;
    expect(codeOf(refused)).toEqual([503, 'UNAVAILABLE']);
    const stopped = stopping.stop();
    for (const { ended } of streams)
      expect(await ended).toMatchObject({ event: 'close', data: '{"code":1012,"reason":"restarting"}' });
    const lastEventId = streams[0]?.lastId() as string;
    await appendEvents(replica(0).services, lobbyIdOf(ada), 1);
    const back = await follow(ben, code, { at: 1, lastEventId });
    await eventually(() => expect(numbersOf(back)[0]).toBe(Number.parseInt(lastEventId, 10) + 1));
    await stopped;
  });

  it('comes with 4401 within 60 s after its session has ended', async () => {
    const { ada, code } = await openLobby(arena);
    const stream = await follow(ada, code);
    await ada.http.post('/api/auth/sign-out', {});
    advanceTime(45_000);
    expect(await stream.ended).toMatchObject({ event: 'close', data: '{"code":4401,"reason":"signed out"}' });
  });

  it('comes with `end` when its user leaves, is removed, or the lobby is closed', async () => {
    const { ada, ben, code } = await openLobby(arena);
    const carl = await arena.player('Carl');
    await postUntilDone(carl, `/api/v1/lobbies/${code}/join`, {});
    const left = await follow(carl, code, { at: 1 });
    const [kicked, closed] = [await follow(ben, code), await follow(ada, code)];
    expect((await carl.http.post(`/api/v1/lobbies/${code}/messages`, { type: 'lobby:leave' })).status).toBe(204);
    expect(await left.ended).toMatchObject({ event: 'end', data: '{}' });
    expect(left.messages.filter(({ type }) => type !== 'lobby:state')).toEqual([]);
    await ada.acked({ type: 'lobby:kick', userId: ben.user.id });
    expect(await kicked.ended).toMatchObject({ event: 'end' });
    expect(kicked.messages.at(-1)).toEqual({ type: 'lobby:kicked', code });
    const dora = await arena.player('Dora');
    await postUntilDone(dora, `/api/v1/lobbies/${code}/join`, {});
    const other = await follow(dora, code);
    await ada.acked({ type: 'lobby:leave' });
    expect(await closed.ended).toMatchObject({ event: 'end' });
    expect(await other.ended).toMatchObject({ event: 'end' });
    expect(other.messages.at(-1)).toMatchObject({ type: 'lobby:closed', code });
  });
});

describe('a request for a stream', () => {
  it('is refused as an upgrade is, then as lobby:join is', async () => {
    const { ada, ben, code } = await openLobby(arena);
    const [eve, mia] = await arena.players('Eve', 'Mia');
    const nobody = { ...eve, user: { ...eve.user, cookie: '' } };
    const evil = { origin: 'https://evil.example' };
    expect(await refusalOf(nobody, `${code}/x`)).toEqual([404, 'ROUTE_NOT_FOUND']);
    expect(await refusalOf(nobody, code, { headers: evil, query: '?since=x' })).toEqual([403, 'FORBIDDEN_ORIGIN']);
    expect(await refusalOf(nobody, code, { query: '?since=x' })).toEqual([401, 'UNAUTHENTICATED']);
    for (const query of ['?since=x', '?since=1.5', '?since=', '?mark=x', '?since=1&since=2'])
      expect(await refusalOf(eve, 'nowhere', { query })).toEqual([400, 'VALIDATION_FAILED']);
    expect(await refusalOf(eve, 'nowhere')).toEqual([404, 'LOBBY_NOT_FOUND']);
    expect(await refusalOf(eve, code)).toEqual([403, 'NOT_A_MEMBER']);
    await ada.acked({ type: 'lobby:kick', userId: ben.user.id });
    expect(await refusalOf(ben, code)).toEqual([403, 'KICKED']);
    for (let misses = 2; misses < 4; misses++) expect(await refusalOf(eve, code)).toEqual([403, 'NOT_A_MEMBER']);
    expect(await refusalOf(eve, code)).toEqual([429, 'RATE_LIMITED']);
    const head = await mia.http.request('HEAD', `/api/v1/lobbies/${code}/events`);
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET, OPTIONS']);
  });

  it('holds no place when it is refused, and streams share the places of sockets', async () => {
    const { ada, code } = await openLobby(arena);
    for (let count = 0; count <= PER_USER; count++) {
      expect((await refusalOf(ada, code, { query: '?since=x' }))[0]).toBe(400);
      expect((await refusalOf(ada, '', { headers: { 'x-forwarded-for': '198.51.100.1' } }))[0]).toBe(404);
    }
    const second = await follow(ada, code);
    await follow(ada, code, { at: 1 });
    const full = (await attempt(ada, code, { at: 1 })) as StreamRefusal;
    expect([full.status, full.headers['retry-after'], full.headers['ratelimit-limit']]).toEqual([429, '5', undefined]);
    await expect(playerOf(ada.user, replica(1).url).connect()).rejects.toThrow('429');
    second.drop();
    await eventually(async () => expect(isStream(await attempt(ada, code))).toBe(true));
  });

  it('is refused behind another stream on its connection, so that no end of a connection is missed', async () => {
    const { ada, ben, code } = await openLobby(arena);
    const { hostname, port, host } = new URL(replica(0).url);
    const ask = ({ user }: Player) =>
      `GET /api/v1/lobbies/${code}/events HTTP/1.1\r\nhost: ${host}\r\ncookie: ${user.cookie}\r\n\r\n`;
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(ask(ben) + ask(ada)));
    socket.setEncoding('latin1').on('data', (part) => {
      received += part;
    });
    await eventually(() => expect(received).toContain('lobby:state'));
    await ben.acked({ type: 'lobby:leave' });
    await eventually(() => expect(received).toMatch(/event: end\n.*HTTP\/1\.1 503 .*UNAVAILABLE/s));
    socket.destroy();
  });
});

describe('a message by a request', () => {
  let ada: Player;
  let ben: Player;
  let code: string;
  const post = (player: Player, message: object | string, at = 0, where = code) =>
    player.http.at(replica(at).url).post(`/api/v1/lobbies/${where}/messages`, message);
  beforeEach(async () => {
    ({ ada, ben, code } = await openLobby(arena));
  });

  it('is 204 when it has taken effect, whether or not a stream is open, and game:ready is 200 with what the screens show', async () => {
    const carl = await arena.player('Carl');
    await postUntilDone(carl, `/api/v1/lobbies/${code}/join`, {});
    const { status, body } = await post(carl, { type: 'game:ready' });
    expect([status, body]).toMatchObject([200, { messages: [{ type: 'lobby:state', snapshot: true }] }]);
    expect((await post(ada, { type: 'lobby:start' })).status).toBe(204);
    const { question } = await ben.next('game:question');
    const answer = { type: 'game:answer', questionId: question.questionId, optionId: 1 };
    for (const at of [0, 1]) expect((await post(ben, answer, at)).status).toBe(204);
    expect(codeOf(await post(ben, { ...answer, optionId: 2 }))).toEqual([409, 'ALREADY_ANSWERED']);
    const { messages } = (await post(ben, { type: 'game:ready' }, 1)).body;
    expect(messages).toMatchObject([{ type: 'game:question', yourAnswer: { optionId: 1 } }]);
    expect((await post(ada, { type: 'game:end' }, 1)).status).toBe(204);
    await ben.next('game:finished');
  });

  it('is game:ready of a host who presents: the stream gets the progress again, from another replica too', async () => {
    const { players, code: game } = await startGameOf(arena, ['Ada', 'Ben', 'Cleo'], { hostPlays: false });
    const [host] = players;
    const stream = await follow(host, game, { at: 1 });
    const progress = () => stream.messages.filter(({ type }) => type === 'game:progress');
    await eventually(() => expect(progress()).toHaveLength(1));
    for (const at of [0, 1]) {
      await post(host, { type: 'game:ready' }, at, game);
      await eventually(() => expect(progress()).toHaveLength(2 + at));
    }
    expect(progress()[2]).toMatchObject({ round: 1, answered: 0, awaited: 2 });
  });

  it('is refused with the code that the error of a socket has, and in the order of the other requests', async () => {
    const eve = await arena.player('Eve');
    const refused = async (...request: Parameters<typeof post>) => codeOf(await post(...request));
    expect(await refused(ben, { type: 'lobby:start' })).toEqual([403, 'NOT_HOST']);
    expect(await refused(ada, { type: 'game:end' })).toEqual([409, 'NOT_IN_GAME']);
    expect(await refused(eve, { type: 'game:end' })).toEqual([403, 'NOT_A_MEMBER']);
    expect(await refused(eve, { type: 'game:end' }, 0, 'ZZZZZZ')).toEqual([404, 'LOBBY_NOT_FOUND']);
    for (const message of [{}, { type: 'lobby:join', code }, { type: 'game:ready', ref: 'x' }])
      expect(await refused(ada, message)).toEqual([400, 'VALIDATION_FAILED']);
    expect(await refused(ada, '{')).toEqual([400, 'INVALID_JSON']);
    const long = (bytes: number) => JSON.stringify({ type: 'game:end' }).padEnd(bytes);
    expect(await refused(ada, long(16_384))).toEqual([409, 'NOT_IN_GAME']);
    expect(await refused(ada, long(16_385))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    await ada.acked({ type: 'lobby:kick', userId: ben.user.id });
    expect(await refused(ben, { type: 'game:ready' })).toEqual([403, 'KICKED']);
  });

  it('is one of 40 at once of its user, over all replicas, then of 20 a second, and refused ones count', async () => {
    const end = { type: 'game:end' };
    const startedMs = performance.now();
    const replies = await Promise.all(Array.from({ length: 80 }, (_, index) => post(ada, end, index % 2)));
    const accepted = replies.filter(({ status }) => status !== 429);
    expect(accepted.length).toBeGreaterThanOrEqual(40);
    expect(accepted.length).toBeLessThanOrEqual(41 + (20 * (performance.now() - startedMs)) / 1000);
    const { redis } = replica(0).services;
    const bucket = limitKey('message', ada.user.id);
    await redis.set(bucket, Date.now() + 60_000);
    for (const { status, headers } of [await post(ada, end), await post(ada, end, 1), await post(ada, '{')]) {
      const [limit, left, wait] = ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));
      expect([status, limit, left, headers.get('retry-after')]).toEqual([429, '40', '0', wait]);
    }
    expect((await post(ben, end)).status).toBe(403);
    // The bucket has room for these, and stays longer than a busy machine takes for them.
    const filledMs = Date.now() + 1800;
    await redis.set(bucket, filledMs);
    expect((await post(ada, '{')).status).toBe(400);
    expect((await post(ada, end)).status).toBe(409);
    expect(Number(await redis.get(bucket))).toBeGreaterThanOrEqual(filledMs + 100);
  });
});
