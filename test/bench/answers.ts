// Measures how many answers of games one Redis stores a second: the script that stores an answer, compared
// with a SET of the same size.
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { LOBBY_EXAMPLE, type Roster } from '../../src/lobby/schema.ts';
import { storeAnswer, storeStart } from '../../src/match/store.ts';
import { seal } from '../../src/vocabulary/draw-questions.ts';
import type { Figure } from './figures.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 5;
const GAMES = 400;
const PLAYERS = 50;
const ANSWERS = GAMES * PLAYERS;
/** The number of commands that are in flight at once. */
const BATCH = 200;

const SETTINGS = { ...LOBBY_EXAMPLE.settings, rounds: 2 };

const NEWLINE = 0x0a;
/** The first byte of an error reply. */
const MINUS = 0x2d;

type Command = (string | number)[];

export async function measureAnswers(stage: Stage): Promise<Figure[]> {
  const own: number[] = [];
  const floor: number[] = [];
  const wire = await openWire(stage.redisUrl);
  await loadScript(stage);
  // The first repetition warms up.
  for (let repetition = 0; repetition <= REPETITIONS; repetition++) {
    const commands: Command[] = [];
    for (let game = 0; game < GAMES; game++) commands.push(...(await openGame(stage)));
    own.push(await perSecond(wire, commands));
    const sets = commands.map(
      (command): Command => ['SET', `${command[3]}:${command[5]}`, String(command[6]), 'PX', 60_000],
    );
    floor.push(await perSecond(wire, sets));
  }
  wire.destroy();
  return [
    {
      name: 'answers stored by one Redis',
      unit: '1/s',
      values: own.slice(1),
      floor: { name: 'SET', values: floor.slice(1) },
    },
  ];
}

/** Loads the script into Redis by an answer to a game that does not exist. */
async function loadScript({ services }: Stage): Promise<void> {
  const [lobbyId, questionId, userId] = [randomUUID(), randomUUID(), randomUUID()];
  const answer = { questionId, userId, given: { optionId: 0 }, token: randomUUID() };
  await storeAnswer(services.redis, lobbyId, answer);
}

/** Opens a round for fifty players. @returns the commands that store their answers */
async function openGame({ services }: Stage): Promise<Command[]> {
  const playerIds = Array.from({ length: PLAYERS }, () => randomUUID());
  const questions = [0, 1].map((correctOptionId) =>
    seal({
      correctOptionId,
      question: {
        questionId: randomUUID(),
        prompt: 'house',
        options: [0, 1, 2, 3].map((optionId) => ({ optionId, text: 'casa' })),
      },
    }),
  );
  const game = { lobbyId: randomUUID(), gameId: randomUUID(), code: '7KQ2ZD', settings: SETTINGS };
  const roster: Roster = {
    ...game,
    status: 'running',
    hostId: playerIds[0] as string,
    capacity: 50,
    players: playerIds.map((userId) => ({ userId, name: 'Ada', isHost: false, plays: true })),
    locked: false,
    createdAt: new Date().toISOString(),
  };
  const prepared = { ...game, isCompact: false, durationMs: 60_000, questions, playerIds };
  await storeStart({ ...services, lobbyTtlMs: 60_000 }, prepared, { roster, version: 1 });
  const questionId = questions[0]?.question.questionId as string;
  return Promise.all(playerIds.map((userId) => commandOf(game.lobbyId, questionId, userId)));
}

/** @returns the command that the service itself would send, which a fake connection captures */
async function commandOf(lobbyId: string, questionId: string, userId: string): Promise<Command> {
  let command: Command = [];
  const redis = {
    async evalsha(...args: Command) {
      command = ['EVALSHA', ...args];
      return 'stored';
    },
  };
  const answer = { questionId, userId, given: { optionId: 1 }, token: randomUUID() };
  await storeAnswer(redis as never, lobbyId, answer);
  return command;
}

async function openWire(redisUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(redisUrl);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  return socket;
}

/** Sends all commands in batches that are encoded in advance, so that the time is that of Redis. */
async function perSecond(wire: Socket, commands: Command[]): Promise<number> {
  const batches: Buffer[] = [];
  for (let at = 0; at < commands.length; at += BATCH) {
    batches.push(
      Buffer.from(
        commands
          .slice(at, at + BATCH)
          .map(encode)
          .join(''),
      ),
    );
  }
  let replies = 0;
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const onData = (chunk: Buffer) => {
    if (chunk[0] === MINUS) reject(new Error(chunk.toString().split('\r\n')[0]));
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lineEnded();
  };
  // The reply to a script is a string of two lines, that to a SET one line.
  const linesEach = commands[0]?.[0] === 'SET' ? 1 : 2;
  let lines = 0;
  function lineEnded(): void {
    if (++lines % linesEach !== 0) return;
    if (++replies % BATCH !== 0 && replies < commands.length) return;
    const batch = batches[Math.floor(replies / BATCH)];
    if (replies < commands.length && batch) wire.write(batch);
    else resolve();
  }
  wire.on('data', onData);
  const startedMs = performance.now();
  wire.write(batches[0] as Buffer);
  await done;
  const seconds = (performance.now() - startedMs) / 1000;
  wire.off('data', onData);
  return ANSWERS / seconds;
}

function encode(command: Command): string {
  const parts = command.map(String);
  return `*${parts.length}\r\n${parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('')}`;
}
