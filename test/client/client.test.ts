// The client library plays games through reconnections on two replicas, reports refusals, and runs the
// example programs. [contract 15]
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { type Client, createClient } from '../../src/client/index.ts';
import type { LobbyConnection } from '../../src/client/lobby.ts';
import type { ServerMessage } from '../../src/client/types.ts';
import { useArena } from '../support/arena.ts';
import { startProgram } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { gather } from '../support/player.ts';
import { ROOT } from '../support/sources.ts';

const EXAMPLES = join(ROOT, 'src/client/examples');

const arena = useArena({ env: { ROUND_DURATION_MS: '20000', GUESTS: 'true' } });
beforeAll(async () => {
  // The examples import the built library by the package's name.
  await promisify(execFile)(process.execPath, ['src/client/build.ts'], { cwd: ROOT });
});

/** Registers its instances, so that a test can terminate them. */
class TrackedSocket extends WebSocket {
  static open = new Set<TrackedSocket>();
  constructor(url: string, options: { headers: { cookie: string } }) {
    super(url, options);
    TrackedSocket.open.add(this);
  }
}

/** Signs a new user in. @returns a client of that user, at one of the replicas */
async function clientOf(name: string, replica = 0): Promise<Client> {
  const { user } = await arena.player(name, replica);
  const baseUrl = arena.replicas[replica]?.url as string;
  return createClient({ baseUrl, cookie: user.cookie, WebSocket: TrackedSocket });
}

/** Reads events until the game is over, and answers each question with its first option. */
async function play(lobby: LobbyConnection): Promise<ServerMessage[]> {
  const seen: ServerMessage[] = [];
  for await (const event of lobby) {
    seen.push(event);
    if (event.type === 'game:question') void lobby.answer(event.question.questionId, 0);
    if (event.type === 'game:finished') lobby.close();
  }
  return seen;
}

const withoutTime = (message: ServerMessage) => ('remainingMs' in message ? { ...message, remainingMs: 0 } : message);

describe('a lobby', () => {
  it('gives each player every event once and in order, despite broken connections, on two replicas', async () => {
    const [ada, ben] = await Promise.all([clientOf('Ada'), clientOf('Ben', 1)]);
    const { code } = await ada.createLobby({ settings: { rounds: 5 } });
    await ben.joinLobby(code);
    const hers = ada.lobby(code);
    const his = ben.lobby(code);
    // Both connections break at each question, so that the answers are given while there is none.
    for (const lobby of [hers, his])
      lobby.on('game:question', () => {
        for (const socket of TrackedSocket.open) socket.terminate();
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
    const last = (seen: ServerMessage[]) => seen.filter((m) => m.type.startsWith('game:')).map(withoutTime);
    expect(last(seenByBen)).toEqual(last(seenByAda));
    const { gameId } = seenByAda.at(-1) as Extract<ServerMessage, { type: 'game:finished' }>;
    expect(await ben.getGame(gameId)).toMatchObject({ code, gameId });
  });

  it('that can’t be entered throws with the service’s error code', async () => {
    const [ada, eve] = await Promise.all([clientOf('Ada'), clientOf('Eve')]);
    const { code } = await ada.createLobby();
    const stranger = createClient({ baseUrl: arena.replicas[0].url, WebSocket });
    for (const [client, refusal] of [
      [eve, { name: 'ApiError', status: 403, code: 'NOT_A_MEMBER' }],
      [stranger, { name: 'ApiError', status: 401, code: 'UNAUTHENTICATED' }],
    ] as const)
      await expect(client.lobby(code)[Symbol.asyncIterator]().next()).rejects.toMatchObject(refusal);
  });
});

describe('a refusal', () => {
  it('has all fields of the service’s problem', async () => {
    const ada = await clientOf('Ada');
    await expect(ada.startGame({ questionCount: 99 })).rejects.toMatchObject({
      name: 'ApiError',
      status: 400,
      code: 'VALIDATION_FAILED',
      requestId: expect.any(String),
      errors: [{ path: 'questionCount', message: 'must be at most 50' }],
    });
  });

  it('is OFFLINE, status 0, without a network', async () => {
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:9' });
    await expect(nobody.getVocabulary()).rejects.toMatchObject({ status: 0, code: 'OFFLINE' });
  });
});

function run(node: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const program = startProgram(args, env, node);
  onTestFinished(() => void program.end('SIGKILL'));
  const find = (pattern: RegExp) =>
    eventually(() => pattern.exec(program.log())?.[1] ?? expect.fail(`not yet ${pattern}: ${program.log()}`));
  return { ...program, find };
}

const example = (file: string, ...args: string[]) => [join(EXAMPLES, file), arena.replicas[0].url, ...args];
const runExample = (file: string, ...args: string[]) => run(process.execPath, example(file, ...args));

it('the connect example is shown in its lobby, and goes', async () => {
  const [ada] = await arena.players('Ada');
  const code = await gather([ada]);
  const { log, ended } = runExample('connect.js', code);
  expect([await ended, log()]).toEqual([0, 'waiting, by websocket: Ada, Ada\n']);
});

it('the homework example answers an assignment', async () => {
  const ada = await clientOf('Ada');
  const closesAt = new Date(Date.now() + 3_600_000).toISOString();
  const { code } = await ada.createAssignment({ title: 'Words', questionCount: 4, answerMode: 'typed', closesAt });
  const { log, ended } = runExample('homework.js', code);
  expect(await ended).toBe(0);
  expect(log().match(/^(right|wrong) {2}.* {2}\d\/4$/gm)).toHaveLength(4);
  expect(await ada.getAssignment(code)).toMatchObject({ finishedCount: 1 });
});

it('the recover example goes on after a crash, with the same guest and the next event', async () => {
  const [ada] = await arena.players('Ada');
  const code = await gather([ada]);
  const file = join(inject('temporaryFolder'), 'recovered.json');
  const first = runExample('recover.js', code, file);
  const seqSaved = () => Number(JSON.parse(readFileSync(file, 'utf8')).position.seq);
  await first.find(/(\d+) lobby:state/);
  await eventually(seqSaved);
  await first.end('SIGKILL');
  const seq = seqSaved();
  const second = runExample('recover.js', code, file);
  expect(Number(await second.find(/^(\d+) lobby:state/))).toBe(seq + 1);
  await second.end('SIGTERM');
  const { body } = await ada.http.get(`/api/v1/lobbies/${code}`);
  expect(body.players).toHaveLength(2);
});

it('a stream alone carries a lobby where the program asks for it [contract 24]', async () => {
  const { user } = await arena.player('Ada');
  const ada = createClient({ baseUrl: arena.replicas[0].url, cookie: user.cookie, transport: 'sse' });
  const { code } = await ada.createLobby({ capacity: 9 });
  const lobby = ada.lobby(code);
  await eventually(() => expect(lobby.status).toBe('live'));
  await lobby.configure({ capacity: 5 });
  await expect(lobby.start()).rejects.toMatchObject({ status: 409, code: 'NOT_ENOUGH_PLAYERS' });
  await lobby.leave();
  const seen = [];
  for await (const event of lobby) seen.push(event);
  const refusal = { type: 'error', reason: 'NOT_ENOUGH_PLAYERS', ref: 'lobby:start' };
  expect(seen).toContainEqual(expect.objectContaining(refusal));
  expect(seen).toContainEqual(expect.objectContaining({ lobby: expect.objectContaining({ capacity: 5 }) }));
  expect([lobby.transport, lobby.status]).toEqual(['sse', 'ended']);
});

describe.each(findNodePrograms())('in Node.js $version', ({ path: node }) => {
  it('the host example presents a game that the bot example plays to its end, both as guests', async () => {
    const host = run(node, example('host.js', 'choice'));
    const bot = run(node, example('bot.js', await host.find(/Lobby (\w{6})/)));
    for (const { ended } of [host, bot]) expect(await ended).toBe(0);
    expect(host.log()).toMatch(/1\/2 {2}.+\nIt was .+\n2\/2 {2}.+\nIt was .+\n\d {2}Robot\n$/);
    expect(bot.log()).toMatch(/^\d {2}Robot\n$/);
  });

  it('the terminal example creates, starts, plays and leaves a lobby', async () => {
    const [ada, ben] = await arena.players('Ada', 'Ben');
    const { stdin, log, find, ended } = run(node, example('terminal.js'), { QUIZ_COOKIE: ada.user.cookie });
    const code = await find(/Lobby (\w{6})/);
    await ben.http.post(`/api/v1/lobbies/${code}/join`, {});
    ben.send({ type: 'lobby:join', code });
    await ben.next('lobby:state', ({ lobby }) => lobby.players.every(({ connected }) => connected));
    stdin.write('start\n');
    const { question } = await ben.next('game:question');
    await expect.poll(log).toContain(`1/3  ${question.prompt}`);
    stdin.write('2\n');
    ben.send({ type: 'game:answer', questionId: question.questionId, optionId: 0 });
    await expect.poll(log).toMatch(/It was \d\.\n {2}\d {2}(Ada|Ben)/);
    stdin.write('leave\n');
    expect(await ended).toBe(0);
  });
});

/** @returns the running program, and the system's if its version differs and the library supports it */
function findNodePrograms(): { version: string; path: string }[] {
  const current = { version: process.version, path: process.execPath };
  // npm scripts put the project's own Node.js first.
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const env = { PATH: folders.join(delimiter) };
  const { stdout } = spawnSync('node', ['-p', 'process.version + " " + process.execPath'], { env, encoding: 'utf8' });
  const [version = '', path = ''] = (stdout ?? '').trim().split(' ');
  const isOther = version !== current.version && Number.parseInt(version.slice(1), 10) >= 20;
  return isOther ? [current, { version, path }] : [current];
}
