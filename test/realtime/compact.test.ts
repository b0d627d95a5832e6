// Compact rooms: nothing that grows with the number of players goes to everybody. Their events don't name the members:
// who has left gets none of them all the same, and who is host gets what a host gets. [contract 10, 11, 19]
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { GameResult } from '../../src/match/schema.ts';
import { createRoom } from '../../src/realtime/rooms.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { answer, eventsOf, lastOf, lobbyIdOf, openTab, resultOf } from '../support/game.ts';
import { pagesOf } from '../support/http-client.ts';
import { enter, gather, type Player, playerOf, read } from '../support/player.ts';

const arena = useArena({ env: { ROUND_DURATION_MS: '30000' } });
afterEach(() => vi.restoreAllMocks());

/** One player more than a result names, and the presenter. */
const NAMES = ['Host', ...Array.from({ length: 11 }, (_, index) => `Player ${index + 1}`)];

async function open(settings: object, request: object = {}, names = NAMES) {
  const all = await arena.players(...names);
  const code = await gather(all, { capacity: 50, ...request, settings });
  const [host, ...players] = all as Player[] as [Player, Player, Player, ...Player[]];
  return { host, players, code };
}

type Room = Awaited<ReturnType<typeof open>>;

const COMPACT = { compact: true, hostPlays: false };

/** @returns the users whose answers are shown, by round */
const answerersOf = ({ rounds }: GameResult) => rounds.map(({ answers }) => answers.map(({ userId }) => userId));

const namesOf = (members: { name: string }[]) => members.map(({ name }) => name);

describe('a compact lobby', () => {
  it('names the host and the receiver alone, over HTTP and the socket, and counts all', async () => {
    const { host, players, code } = await open(COMPACT);
    const [ada] = players;
    const counts = { compact: true, playerCount: 12, connectedCount: 12 };
    const { body } = await read(ada, code);
    expect(body).toMatchObject(counts);
    expect(namesOf(body.players)).toEqual(['Host', 'Player 1']);
    const state = await ada.next('lobby:state', ({ lobby }) => lobby.connectedCount === 12);
    expect(state.lobby).toMatchObject({ ...counts, players: [{ connected: true }, {}] });
    for (const player of [host, ...players]) {
      const received = eventsOf(player).filter((event) => event.type === 'lobby:state');
      for (const { lobby } of received)
        expect(new Set(namesOf(lobby.players))).toEqual(new Set(['Host', player.user.name]));
    }
  });

  it('announces arrivals and departures of a burst about once a second, and the last of them, and whether the host is there', async () => {
    const { host, players } = await open(COMPACT);
    const before = host.messages.length;
    for (const player of players.slice(1)) player.send({ type: 'lobby:leave' });
    const last = await host.next('lobby:state', ({ lobby }) => lobby.playerCount === 2, before);
    expect(host.messages.slice(before).length).toBeLessThan(4);
    expect(host.messages.at(-1)).toEqual(last);
    host.drop();
    await players[0].next('lobby:state', ({ lobby }) => lobby.players[0]?.connected === false);
  });
});

it('all sockets of a user leave a compact lobby, and a removed player gets lobby:kicked', async () => {
  const { host, players, code } = await open(COMPACT, {}, ['Host', 'Ada', 'Ben']);
  const [ada, ben] = players;
  const elsewhere = await openTab(arena, ada, code, 0);
  ada.send({ type: 'lobby:leave' });
  // It is refused only to a socket in no lobby.
  await eventually(async () =>
    expect(await elsewhere.refused({ type: 'game:ready' })).toMatchObject({ reason: 'NOT_IN_LOBBY' }),
  );
  host.send({ type: 'lobby:kick', userId: ben.user.id });
  await ben.next('lobby:kicked');
  elsewhere.drop();
});

describe('GET /api/v1/lobbies/:code/players', () => {
  it('lists the players of any lobby in pages, in the order in which they joined', async () => {
    for (const compact of [true, false]) {
      const { players, code } = await open({ compact });
      players[2]?.drop();
      const [ada] = players;
      const pages = await pagesOf(ada.http, `/api/v1/lobbies/${code}/players?limit=5`, 'after');
      const names = pages.map((page) => namesOf(page.players));
      expect(names).toEqual([NAMES.slice(0, 5), NAMES.slice(5, 10), NAMES.slice(10)]);
    }
  });

  it('is refused to those who are no members, and with a limit or cursor that cannot be one', async () => {
    const { players, code } = await open({ compact: true }, {}, ['Host', 'Ada', 'Ben']);
    const [ben] = players;
    const stranger = await arena.player('Eve');
    const path = `/api/v1/lobbies/${code}/players`;
    expect((await stranger.http.get(path)).body).toMatchObject({ code: 'NOT_A_MEMBER' });
    expect((await ben.http.get('/api/v1/lobbies/000000/players')).body).toMatchObject({ code: 'LOBBY_NOT_FOUND' });
    const huge = Buffer.from('99999999999').toString('base64url');
    for (const query of ['limit=0', 'limit=201', 'after=x', 'after=', `after=${huge}`, 'page=2'])
      expect((await ben.http.get(`${path}?${query}`)).status, query).toBe(400);
  });
});

/** Plays a game of two rounds. In the first, the players 1 to 5 are right, 6 to 10 wrong, and 11 silent. */
async function play({ host, players }: Room): Promise<string> {
  host.send({ type: 'lobby:start' });
  for (const [index, player] of players.slice(0, 10).entries())
    await answer(arena, player, 1, index < 5 ? 'right' : 'wrong');
  await host.next('game:progress', ({ answered }) => answered === 10);
  host.send({ type: 'game:next', round: 1, phase: 'round' });
  for (const player of players) await answer(arena, player, 2, 'right');
  return (await host.next('game:finished')).gameId;
}

describe('in a game of a compact lobby', () => {
  it('results and the end name the ten best, count the rest, and tell each player the own part', async () => {
    const room = await open({ ...COMPACT, rounds: 2 });
    await play(room);
    const { host, players } = room;
    const best = namesOf(players.map(({ user }) => user));
    for (const [index, player] of players.entries()) {
      const result = await resultOf(player, 1);
      expect(result).not.toHaveProperty('answers');
      const options = [0, 0, 0, 0];
      const { correctOptionId = 0 } = result;
      options[correctOptionId] = 5;
      options[(correctOptionId + 1) % 4] = 5;
      expect(result.counts).toEqual({ options, none: 1, correct: 5 });
      expect(namesOf(result.scores)).toEqual(best.slice(0, 10));
      const isCorrect = index < 5;
      const own = isCorrect ? { points: 1, score: 1, rank: 1 } : { points: 0, score: 0, rank: 6 };
      expect(result.you).toMatchObject({ isCorrect, ...own });
      expect(result.you?.selectedOptionId === null).toBe(index === 10);
      const finished = await player.next('game:finished');
      expect(namesOf(finished.scores)).toEqual(best.slice(0, 10));
      expect(finished).toMatchObject({
        winnerCount: 5,
        you: isCorrect ? { score: 2, correct: 2, rank: 1 } : { score: 1, correct: 1, rank: 6 },
      });
      expect(finished.winnerIds).toEqual(players.slice(0, 5).map(({ user }) => user.id));
    }
    expect(await resultOf(host, 1)).not.toHaveProperty('you');
    expect(await host.next('game:finished')).not.toHaveProperty('you');
  });

  it('a replay and a snapshot have the own part of the moment of the event', async () => {
    const room = await open({ ...COMPACT, rounds: 2 });
    const [ada] = room.players;
    const last = lastOf(ada);
    const away = playerOf(ada.user, arena.replicas[1]?.url as string);
    await away.connect();
    await play(room);
    away.send({ type: 'lobby:join', code: room.code, ...last });
    const replayed = await away.next('game:finished');
    for (const type of ['game:answer_result', 'game:finished'] as const) {
      const own = (player: Player) => eventsOf(player).flatMap((event) => (event.type === type ? [event.you] : []));
      expect(own(away)).toEqual(own(ada));
    }
    const snapshot = await away.nextAfter({ type: 'game:ready' }, 'game:finished');
    expect(snapshot).toMatchObject({ snapshot: true, you: replayed.you });
  });

  it('the stored game shows a player the ten best and the own answers, and its host everything', async () => {
    const room = await open({ ...COMPACT, rounds: 2 });
    const gameId = await play(room);
    const last = room.players[10] as Player;
    const path = `/api/v1/games/${gameId}`;
    const seen: GameResult = (await last.http.get(path)).body;
    expect(namesOf(seen.scores)).toEqual([...NAMES.slice(1, 11), 'Player 11']);
    expect(seen).toMatchObject({ winnerCount: 5 });
    expect(answerersOf(seen)).toEqual([[last.user.id], [last.user.id]]);
    const whole: GameResult = (await room.host.http.get(path)).body;
    expect(namesOf(whole.scores)).toEqual(NAMES.slice(1));
    expect(whole.rounds.map(({ answers }) => answers.length)).toEqual([11, 11]);
    for (const [player, lines] of [
      [last, 2],
      [room.host, 22],
    ] as const) {
      const { body } = await player.http.get(path, { accept: 'text/csv' });
      expect(body.split('\r\n')).toHaveLength(lines + 2);
      const { rounds, ...summary } = (await player.http.get(path)).body;
      expect((await player.http.get('/api/v1/games')).body.games).toEqual([summary]);
    }
  });
});

/** Opens a compact lobby of three, whose host presents. */
const openSmall = (settings: object = {}) => open({ ...COMPACT, ...settings }, {}, ['Host', 'Ada', 'Ben']);

it('a socket whose user leaves between the check of its membership and its replay gets out', async () => {
  const { host, players } = await openSmall();
  const [ada] = players;
  const since = { seq: host.lastSeq() };
  ada.send({ type: 'lobby:leave' });
  await host.next('lobby:state', ({ lobby }) => lobby.playerCount === 2);
  // Pub/sub does not reach this room, whose listener takes everything at once.
  const removed = vi.fn();
  const taken = Promise.resolve(true);
  const names = { id: randomUUID(), userId: ada.user.id, userName: ada.user.name };
  const listener = { ...names, taken, send() {}, sendChunk() {} };
  await createRoom(arena.services, lobbyIdOf(host), removed).subscribe(listener, since);
  await eventually(() => expect(removed).toHaveBeenCalledOnce());
});

it('the role of a presenting host who leaves passes to a player, who then gets the whole game', async () => {
  const { host, players, code } = await openSmall({ rounds: 1, lateJoin: true });
  const [ada, ben] = players;
  host.send({ type: 'lobby:start' });
  await ben.next('game:question');
  host.send({ type: 'lobby:leave' });
  const passed = await ben.next('lobby:state', ({ lobby }) => lobby.hostId === ada.user.id);
  expect(passed.lobby.players).toMatchObject([
    { name: 'Ada', isHost: true, plays: true },
    { name: 'Ben', isHost: false, plays: true },
  ]);
  // Who presented goes on presenting, as a member without the role. [contract 11]
  await enter(host, code);
  const back = await host.next(
    'lobby:state',
    ({ lobby, snapshot }) => !snapshot && lobby.connectedCount === 3 && lobby.hostId !== host.user.id,
  );
  expect(back.lobby.players).toMatchObject([
    { name: 'Ada', isHost: true },
    { name: 'Host', isHost: false, plays: false },
  ]);
  for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
  const { gameId } = await ada.next('game:finished');
  expect(await host.next('game:finished')).not.toHaveProperty('you');
  const seenBy = async ({ http }: Player) => answerersOf((await http.get(`/api/v1/games/${gameId}`)).body);
  expect(await seenBy(ada)).toEqual([[ada.user.id, ben.user.id]]);
  expect(await seenBy(ben)).toEqual([[ben.user.id]]);
  expect(await seenBy(host)).toEqual([[]]);
});
