// The client library against the service: a game through reconnections on two replicas, refusals, and
// the programs that are its documentation. [contract 15]
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { ApiError } from '../../src/client/api-error.ts';
import { type Client, createClient } from '../../src/client/client.ts';
import type { LobbyConnection } from '../../src/client/lobby.ts';
import type { ServerMessage } from '../../src/client/types.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { listOf, termsOf } from '../support/lists.ts';
import { gather, type Player } from '../support/player.ts';

const ROOT = join(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'src/client/examples');

const arena = useArena({ env: { ROUND_DURATION_MS: '20000' } });
beforeAll(async () => {
  // What the examples import by the package's name.
  await promisify(execFile)(process.execPath, ['src/client/build.ts'], { cwd: ROOT });
});

/** Its sockets are kept, so that a test can cut them. */
class Cut extends WebSocket {
  static open = new Set<Cut>();
  constructor(url: string, options: { headers: { cookie: string } }) {
    super(url, options);
    Cut.open.add(this);
  }
}

/** A client of a new user, through one of the replicas. */
async function clientOf(name: string, replica = 0): Promise<Client> {
  const { user } = await arena.player(name, replica);
  return createClient({
    baseUrl: arena.replicas[replica]?.url as string,
    cookie: user.cookie,
    WebSocket: Cut,
  });
}

/** Reads until the game is over, answering the first option of each question. */
async function play(lobby: LobbyConnection): Promise<ServerMessage[]> {
  const seen: ServerMessage[] = [];
  for await (const event of lobby) {
    seen.push(event);
    if (event.type === 'game:question') lobby.answer(event.question.questionId, 0);
    if (event.type === 'game:finished') lobby.close();
  }
  return seen;
}

const withoutTime = (message: ServerMessage) =>
  'remainingMs' in message ? { ...message, remainingMs: 0 } : message;

describe('a lobby', () => {
  it('gives each player every event once and in order, through broken connections on two replicas', async () => {
    const [ada, ben] = await Promise.all([clientOf('Ada'), clientOf('Ben', 1)]);
    const { code } = await ada.createLobby({ settings: { rounds: 5 } });
    await ben.joinLobby(code);
    const hers = ada.lobby(code);
    const his = ben.lobby(code);
    // At each question both connections break, so that answers are given without one.
    for (const lobby of [hers, his])
      lobby.on('game:question', () => {
        for (const socket of Cut.open) socket.terminate();
      });
    let isStarted = false;
    hers.on('lobby:state', ({ lobby }) => {
      if (isStarted || !lobby.players.every(({ connected }) => connected)) return;
      isStarted = lobby.players.length === 2;
      if (isStarted) hers.start();
    });
    hers.on('error', ({ reason }) => {
      if (reason === 'NOT_ENOUGH_PLAYERS') isStarted = false;
    });
    const [seenByAda, seenByBen] = await Promise.all([play(hers), play(his)]);
    for (const seen of [seenByAda, seenByBen]) {
      const events = seen.filter((message) => 'seq' in message);
      const first = events[0]?.seq as number;
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => first + index));
      expect(events.filter(({ type }) => type === 'game:question')).toHaveLength(5);
      expect(events.filter(({ type }) => type === 'game:answer_result')).toHaveLength(5);
    }
    const last = (seen: ServerMessage[]) =>
      seen.filter((m) => m.type.startsWith('game:')).map(withoutTime);
    expect(last(seenByBen)).toEqual(last(seenByAda));
    const { gameId } = seenByAda.at(-1) as Extract<ServerMessage, { type: 'game:finished' }>;
    expect(await ben.getGame(gameId)).toMatchObject({ code, gameId });
  });

  it('goes on from where another connection ended', async () => {
    const ada = await clientOf('Ada');
    const { code } = await ada.createLobby();
    const first = ada.lobby(code);
    await eventually(() => expect(first.position).toBeDefined());
    first.close();
    const second = ada.lobby(code, first.position);
    for await (const event of second) {
      expect(event).toMatchObject({ seq: (first.position?.seq ?? 0) + 1 });
      second.close();
    }
  });

  it('that can’t be entered throws, with the service’s own code', async () => {
    const [ada, eve] = await Promise.all([clientOf('Ada'), clientOf('Eve')]);
    const { code } = await ada.createLobby();
    await expect(eve.lobby(code)[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      ...{ name: 'ApiError', status: 403, code: 'NOT_A_MEMBER' },
    });
    const stranger = createClient({ baseUrl: arena.replicas[0]?.url as string, WebSocket });
    await expect(stranger.lobby(code)[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      ...{ status: 401, code: 'UNAUTHENTICATED' },
    });
  });

  it('ends for everybody when its host leaves it, and the others are told', async () => {
    const [ada, ben] = await Promise.all([clientOf('Ada'), clientOf('Ben', 1)]);
    const { code } = await ada.createLobby();
    await ben.joinLobby(code);
    const hers = ada.lobby(code);
    const his = ben.lobby(code);
    his.start();
    const seen: ServerMessage[] = [];
    await eventually(() => expect(his.status).toBe('live'));
    await hers.leave();
    for await (const event of his) seen.push(event);
    expect(seen).toContainEqual(expect.objectContaining({ type: 'error', reason: 'NOT_HOST' }));
    expect(seen.at(-1)).toMatchObject({ type: 'lobby:closed', reason: 'host_left' });
    for await (const event of hers) expect(event.type).toBe('lobby:state');
  });
});

describe('a refusal', () => {
  it('says all that the service says', async () => {
    const ada = await clientOf('Ada');
    const refused = ada.startGame({ questionCount: 99 });
    await expect(refused).rejects.toBeInstanceOf(ApiError);
    await expect(refused).rejects.toMatchObject({
      ...{ status: 400, code: 'VALIDATION_FAILED', requestId: expect.any(String) },
      errors: [{ path: 'questionCount', message: 'must be at most 50' }],
    });
  });

  it('is OFFLINE, status 0, without a network', async () => {
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:9' });
    await expect(nobody.getVocabulary()).rejects.toMatchObject({ status: 0, code: 'OFFLINE' });
  });
});

it('a quiz for one is played by its methods', async () => {
  const ada = await clientOf('Ada');
  expect((await ada.getVocabulary()).decks.length).toBeGreaterThan(0);
  const { sessionId, questions } = await ada.startGame({ questionCount: 2 });
  for (const [index, { questionId }] of questions.entries()) {
    const result = await ada.answerQuestion({ sessionId, questionId, optionId: 0 });
    expect(result.score.answered).toBe(index + 1);
  }
});

it('what one has learned and played is read by its methods', async () => {
  const ada = await clientOf('Ada');
  expect(await ada.getProgress({ timeZone: 'Europe/Rome' })).toMatchObject({ dueNow: 0 });
  expect(await ada.getCalendar({ timeZone: 'Europe/Rome' })).toEqual({ days: [] });
  expect(await ada.getProgress()).toMatchObject({ reviewedToday: 0, streakDays: 0 });
  expect(await ada.listGames({ limit: 5, before: undefined })).toMatchObject({ next: null });
});

it('lists of one’s own are kept by its methods', async () => {
  const ada = await clientOf('Ada');
  const { listId } = await ada.createList(listOf());
  expect(await ada.replaceList(listId, listOf({ name: 'Bahnhof' }))).toMatchObject({ listId });
  expect((await ada.getLists()).lists).toMatchObject([{ listId, name: 'Bahnhof' }]);
  expect((await ada.getList(listId)).terms).toEqual(termsOf(6));
  expect((await ada.startGame({ listId, questionCount: 4 })).questions).toHaveLength(4);
  await ada.deleteList(listId);
  await expect(ada.getList(listId)).rejects.toMatchObject({ status: 404, code: 'LIST_NOT_FOUND' });
});

describe('the programs of its documentation', () => {
  /** @returns the program's output, as it is by then */
  function run(file: string, cookie: string, ...args: string[]) {
    const url = arena.replicas[0]?.url as string;
    const child: ChildProcess = spawn(process.execPath, [join(EXAMPLES, file), url, ...args], {
      env: { ...process.env, QUIZ_COOKIE: cookie },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout?.on('data', (data) => {
      output += data;
    });
    return { child, output: () => output, ended: once(child, 'exit') };
  }

  it('a bot plays a lobby to its end, and ends by itself', async () => {
    const [ada, bot] = (await arena.players('Ada', 'Bot')) as [Player, Player];
    const code = await gather([ada], { settings: { rounds: 2 } });
    const { output, ended } = run('bot.js', bot.user.cookie, code);
    await ada.next('lobby:state', ({ lobby }) => lobby.players[1]?.connected === true);
    ada.send({ type: 'lobby:start' });
    for (const round of [1, 2]) {
      const { question } = await ada.next('game:question', (event) => event.round === round);
      ada.send({ type: 'game:answer', questionId: question.questionId, optionId: 1 });
    }
    expect(await ended).toEqual([0, null]);
    expect(output()).toMatch(/^\d {2}(Ada|Bot)\n\d {2}(Ada|Bot)\n$/);
  });

  it('a lobby is created, started, played and left in the terminal', async () => {
    const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
    const { child, output, ended } = run('terminal.js', ada.user.cookie);
    const code = await eventually(() => {
      const found = /Lobby (\w{6})/.exec(output())?.[1];
      if (!found) throw new Error('no code yet');
      return found;
    });
    await ben.http.post(`/api/v1/lobbies/${code}/join`, {});
    ben.send({ type: 'lobby:join', code });
    await ben.next('lobby:state', ({ lobby }) => lobby.players.every(({ connected }) => connected));
    child.stdin?.write('start\n');
    const { question } = await ben.next('game:question');
    await eventually(() => expect(output()).toContain(`1/3  ${question.prompt}`));
    child.stdin?.write('2\n');
    ben.send({ type: 'game:answer', questionId: question.questionId, optionId: 0 });
    await eventually(() => expect(output()).toMatch(/It was \d\.\n {2}\d {2}(Ada|Ben)/));
    child.stdin?.write('leave\n');
    expect(await ended).toEqual([0, null]);
  });
});
