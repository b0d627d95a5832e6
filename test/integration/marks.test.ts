// Exactly once, even when Redis forgets: a number alone doesn't tell two histories apart, its mark does.
// A failover that loses the last writes is a lobby's keys as they were before. [contract 16]
import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lobbyKeys } from '../../src/lobby/keys.ts';
import { updatePresence } from '../../src/lobby/presence.ts';
import type { Lobby } from '../../src/lobby/schema.ts';
import type { ServerEvent } from '../../src/realtime/schema.ts';
import type { Services } from '../../src/services.ts';
import { type Arena, startArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { eventsOf, lastOf, lobbyIdOf, startGame } from '../support/game.ts';
import { expectSameMarks } from '../support/marks.ts';
import { gather, type Player, playerOf } from '../support/player.ts';
import { rememberLobby } from '../support/rollback.ts';
import { startService, type TestService } from '../support/service.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let arena: Arena;
/** The way of the third replica to Redis. */
let network: TcpProxy;
let far: TestService;
let ada: Player;
let ben: Player;
/** Ben's socket on the far replica. */
let watcher: Player;
let code: string;

beforeAll(async () => {
  const env = { BETTER_AUTH_SECRET: randomBytes(32).toString('hex'), ROUND_DURATION_MS: '60000' };
  arena = await startArena({ env });
  const { hostname: host, port } = new URL(arena.stores.redisUrl);
  network = await startTcpProxy({ host, port: Number(port) });
  far = await startService({ ...arena.stores, redisUrl: network.url('redis') }, env);
});
afterAll(async () => {
  await far.stop();
  await network.stop();
  await arena.stop();
});

beforeEach(async () => {
  [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
  code = await gather([ada, ben], { capacity: 20 });
  watcher = playerOf(ben.user, far.url);
  await watcher.connect();
  watcher.send({ type: 'lobby:join', code });
  const { seq } = await watcher.next('lobby:state');
  for (const player of [watcher, ada, ben])
    await player.next('lobby:state', (state) => state.seq === seq + 1);
});

const services = () => arena.replicas[0]?.services as Services;
const redis = () => services().redis as Redis;

async function makeEvents(count: number): Promise<void> {
  for (let made = 0; made < count; made++)
    await updatePresence(services(), lobbyIdOf(ada), 'add', [], 'always');
}

const nextState = (player: Player, after: number) =>
  player.next('lobby:state', ({ seq }) => seq === after + 1);

/** One more member, of whom only the newer history tells. */
async function somebodyJoins(): Promise<string> {
  const carl = await arena.player('Carl');
  await carl.http.post(`/api/v1/lobbies/${code}/join`);
  return carl.user.id;
}

/** Comes back on the far replica. @returns what was sent, up to an event that is made then */
async function comeBack(player: Player, since: object): Promise<ServerEvent[]> {
  player.drop();
  await player.connect(far.url);
  const seen = player.messages.length;
  player.send({ type: 'lobby:join', code, ...since });
  await eventually(() => expect(player.messages.length).toBeGreaterThan(seen));
  await makeEvents(1);
  await eventually(async () => expect(player.lastSeq()).toBe(await headSeq()));
  return eventsOf(player).slice(seen);
}

const headSeq = async () => Number(await redis().hget(lobbyKeys(lobbyIdOf(ada))[0], 'seq'));

describe('every numbered message carries a mark', () => {
  it('the same for all who see the event, and no two events have the same', async () => {
    await makeEvents(20);
    ada.send({ type: 'lobby:start' });
    await watcher.next('game:question');
    await eventually(() => expect(watcher.lastSeq()).toBe(ada.lastSeq()));
    expectSameMarks([ada, ben, watcher].map(eventsOf));
    for (const { seq, mark } of eventsOf(ada)) if (seq > 0) expect(mark).toMatch(/^[0-9a-f]{16}$/);
  });

  it('a snapshot has that of the event whose number it carries, and number 0 has one too', async () => {
    const [first] = eventsOf(ada);
    expect(first).toMatchObject({ seq: 0, mark: expect.stringMatching(/^.{1,16}$/) });
    const event = eventsOf(ada).at(-1);
    for (const type of ['game:ready', 'lobby:join']) {
      const seen = ben.messages.length;
      ben.send({ type, ...(type === 'lobby:join' ? { code } : {}) });
      expect(await ben.next('lobby:state', () => true, seen)).toEqual({
        ...event,
        snapshot: true,
      });
    }
  });
});

describe('lobby:join accepts a mark beside since', () => {
  it('and gets exactly the events after it', async () => {
    const last = lastOf(ben);
    await makeEvents(3);
    await eventually(async () => expect(ada.lastSeq()).toBe(await headSeq()));
    const back = await comeBack(ben, last);
    await eventually(() => expect(ada.lastSeq()).toBe(ben.lastSeq()));
    expect(back).toEqual(eventsOf(ada).filter(({ seq }) => seq > last.since));
  });

  it.each([{ mark: 'x' }, { since: 1, mark: 'seventeen letters' }, { since: 1, mark: 7 }])(
    'alone, or what can be none, is 400: %j',
    async (fields) => {
      expect(await ada.refused({ type: 'lobby:join', code, ...fields })).toMatchObject({
        ...{ code: 400, reason: 'VALIDATION_FAILED' },
      });
    },
  );

  it.each(['', 'another', '0123456789abcdef'])(
    'and gets a snapshot where the log’s event has another one, as %j',
    async (mark) => {
      const since = ben.lastSeq();
      await makeEvents(3);
      const [first, ...events] = await comeBack(ben, { since, mark });
      expect(first).toMatchObject({ type: 'lobby:state' });
      expect(first?.seq).toBeGreaterThanOrEqual(since + 3);
      expect(events.map(({ seq }) => seq)).toEqual(
        events.map((_, index) => (first as ServerEvent).seq + 1 + index),
      );
    },
  );

  it('and gets a snapshot where the number is beyond the log', async () => {
    const { since, mark } = lastOf(ben);
    const [first] = await comeBack(ben, { since: since + 100, mark });
    expect(first).toMatchObject({ type: 'lobby:state' });
    expect(first?.seq).toBeLessThan(since + 100);
  });

  it.each([{ since: 0 }, { since: 0, mark: 'any' }, { since: 0, mark: '' }])(
    'since 0 with any mark replays all that there is: %j',
    async (fields) => {
      const back = await comeBack(ben, fields);
      expect(back.map(({ seq }) => seq)).toEqual(back.map((_, index) => index + 1));
    },
  );
});

describe('after a failover that lost the last event', () => {
  it('a client that resumes with its number and mark on another replica gets a snapshot', async () => {
    const game = await startGame(arena);
    const forget = await rememberLobby(redis(), lobbyIdOf(game.ada));
    const before = game.ben.lastSeq();
    await updatePresence(services(), lobbyIdOf(game.ada), 'add', [], 'always');
    const { seq, mark } = await nextState(game.ben, before);
    game.ben.drop();
    game.ada.drop();
    await forget();
    await updatePresence(services(), lobbyIdOf(game.ada), 'add', [], 'always');
    const seen = game.ben.messages.length;
    await game.ben.connect(far.url);
    game.ben.send({ type: 'lobby:join', code: game.code, since: seq, mark });
    const asked = await game.ben.next('game:question', () => true, seen);
    const [state] = eventsOf(game.ben).slice(seen);
    expect(state).toMatchObject({ type: 'lobby:state', seq: asked.seq, mark: asked.mark });
    expect(asked.seq).toBeGreaterThanOrEqual(seq);
    expect(asked.mark).not.toBe(mark);
  });

  it.each([0, 1, 2, 5])(
    'a socket that stayed connected gets a snapshot of a number that is new to it, before anything else: %i events later',
    async (count) => {
      const forget = await rememberLobby(redis(), lobbyIdOf(ada));
      const before = watcher.lastSeq();
      await makeEvents(1);
      for (const player of [ada, ben, watcher]) await nextState(player, before);
      const seen = watcher.messages.length;
      await network.block();
      await forget();
      const carl = count > 0 ? await somebodyJoins() : null;
      await makeEvents(Math.max(0, count - 1));
      const head = await headSeq();
      await network.unblock();
      const snapshot = await watcher.next('lobby:state', () => true, seen);
      expect(snapshot.seq).toBeGreaterThanOrEqual(head);
      expect(JSON.stringify(watcher.messages.slice(0, seen))).not.toContain(snapshot.mark);
      if (carl) expect(snapshot.lobby.players.map(({ userId }) => userId)).toContain(carl);
      await expectSameNow();
    },
  );

  it('sockets that stayed connected, and whose replicas heard every event, get one too', async () => {
    for (const count of [1, 2, 3]) {
      const forget = await rememberLobby(redis(), lobbyIdOf(ada));
      const lost = await headSeq();
      await makeEvents(count);
      for (const player of [ada, ben, watcher]) await nextState(player, lost + count - 1);
      const seen = [ada, ben, watcher].map((player) => player.messages.length);
      await forget();
      const carl = await somebodyJoins();
      for (const [index, player] of [ada, ben, watcher].entries()) {
        // A caretaker may have noticed before Carl was there.
        await player.next(
          'lobby:state',
          ({ lobby }) => lobby.players.some(({ userId }) => userId === carl),
          seen[index],
        );
      }
      await expectSameNow();
    }
  });

  it('who joined in what was lost is told of all the same, and stays', async () => {
    const forget = await rememberLobby(redis(), lobbyIdOf(ada));
    const carl = await arena.player('Carl', 1);
    await carl.http.post(`/api/v1/lobbies/${code}/join`);
    await carl.connect();
    carl.send({ type: 'lobby:join', code });
    const isIn = ({ lobby }: { lobby: Lobby }) =>
      lobby.players.some(({ userId, connected }) => userId === carl.user.id && connected);
    for (const player of [ada, ben, carl]) await player.next('lobby:state', isIn);
    const seen = [ada, ben, carl].map((player) => player.messages.length);
    await forget();
    await makeEvents(1);
    for (const [index, player] of [ada, ben, carl].entries())
      await player.next('lobby:state', isIn, seen[index]);
    carl.drop();
  });

  it('and all others too, there is a snapshot without anybody’s asking', async () => {
    const seen = [ada, ben, watcher].map((player) => player.messages.length);
    const [lobby, log] = lobbyKeys(lobbyIdOf(ada));
    await redis().del(lobby, log);
    for (const [index, player] of [ada, ben, watcher].entries())
      await player.next('lobby:state', () => true, seen[index]);
    await expectSameNow();
  });
});

describe('beside the release before marks', () => {
  /** How its scripts append an event: without a mark, and in one step as ever. */
  const OLD_APPEND = `
    local seq = redis.call('HINCRBY', KEYS[1], 'seq', 1)
    local lobby = redis.call('HMGET', KEYS[1], 'roster', 'connected')
    local entry = '{"seq":' .. seq .. ',"atMs":' .. ARGV[1] .. ',"by":"api-old","type":"lobby:state"'
      .. ',"connected":' .. lobby[2] .. ',"lobby":' .. lobby[1] .. '}'
    redis.call('XADD', KEYS[2], seq .. '-0', 'event', entry)
    if ARGV[2] == 'published' then redis.call('SPUBLISH', KEYS[3], entry) end`;

  async function makeOldEvent(fate: 'published' | 'lost' = 'published'): Promise<void> {
    const keys = lobbyKeys(lobbyIdOf(ada));
    await redis().eval(OLD_APPEND, keys.length, ...keys, Date.now(), fate);
  }

  it('each event is sent once and in order, and carries a mark that no other has', async () => {
    const { since } = lastOf(ben);
    await makeOldEvent();
    await makeEvents(1);
    await makeOldEvent('lost');
    await makeEvents(2);
    await makeOldEvent('lost');
    for (const player of [ada, ben, watcher]) {
      await eventually(async () => expect(player.lastSeq()).toBe(await headSeq()));
      const numbers = eventsOf(player).filter(({ seq }) => seq > since);
      expect(numbers.map(({ seq }) => seq)).toEqual(numbers.map((_, i) => since + 1 + i));
    }
    expectSameMarks([ada, ben, watcher].map(eventsOf));
  });

  it('a client resumes after its events, by the mark that they were given', async () => {
    await makeOldEvent();
    await eventually(async () => expect(ben.lastSeq()).toBe(await headSeq()));
    const last = lastOf(ben);
    await makeEvents(1);
    await makeOldEvent();
    const back = await comeBack(ben, last);
    expect(back.map(({ seq }) => seq)).toEqual(back.map((_, i) => last.since + 1 + i));
    expect(back.length).toBeGreaterThanOrEqual(3);
  });
});

/** All sockets have the same last event. */
async function expectSameNow(): Promise<void> {
  await eventually(async () => {
    const lasts = [ada, ben, watcher].map(lastOf);
    expect(lasts.map(({ since }) => since)).toEqual(Array(3).fill(await headSeq()));
    expect(new Set(lasts.map(({ mark }) => mark)).size).toBe(1);
  });
}
