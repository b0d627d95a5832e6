// Measures how many answers of games one Redis stores a second, if it does nothing else: the script that stores an
// answer, compared with a SET of the same size.
import { randomUUID } from 'node:crypto';
import { LOBBY_EXAMPLE, type Roster } from '../../src/lobby/schema.ts';
import { storeAnswer, storeStart } from '../../src/match/store.ts';
import { seal } from '../../src/vocabulary/draw-questions.ts';
import { comparing, type Figure, inTurns } from './figures.ts';
import { redisCpuMs } from './meter.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 5;
const GAMES = 400;
const PLAYERS = 50;
/** The number of commands that are in flight at once. */
const BATCH = 200;

const SETTINGS = { ...LOBBY_EXAMPLE.settings, rounds: 2 };

type Answer = Parameters<typeof storeAnswer>[2] & { lobbyId: string };

export async function measureAnswers(stage: Stage): Promise<Figure[]> {
  const { redis } = stage.services;
  let answers: Answer[] = [];
  const [own, floor] = await inTurns(REPETITIONS, [
    async () => {
      answers = (await Promise.all(Array.from({ length: GAMES }, () => openGame(stage)))).flat();
      return perSecond(stage, answers, ({ lobbyId, ...answer }) => storeAnswer(redis, lobbyId, answer));
    },
    () =>
      perSecond(stage, answers, ({ lobbyId, userId, ...answer }) =>
        redis.set(`${lobbyId}:${userId}`, JSON.stringify(answer), 'PX', 60_000),
      ),
  ]);
  return [comparing(own, 'SET', floor)('answers stored by one Redis', '1/s', (rate) => rate)];
}

/** Opens a round for fifty players. @returns their answers */
async function openGame({ services }: Stage): Promise<Answer[]> {
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
  const answer = { lobbyId: game.lobbyId, questionId: questions[0]?.question.questionId as string };
  return playerIds.map((userId) => ({ ...answer, userId, given: { optionId: 1 }, token: randomUUID() }));
}

/** @returns how many answers Redis would store in a second of its CPU time */
async function perSecond(
  { redisServers }: Stage,
  answers: readonly Answer[],
  store: (answer: Answer) => Promise<unknown>,
): Promise<number> {
  const beforeMs = await redisCpuMs(redisServers);
  for (let at = 0; at < answers.length; at += BATCH) await Promise.all(answers.slice(at, at + BATCH).map(store));
  return (answers.length * 1000) / ((await redisCpuMs(redisServers)) - beforeMs);
}
