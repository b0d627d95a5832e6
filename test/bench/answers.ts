// Measures how many answers of games one Redis stores a second, if it does nothing else: the script that stores an
// answer, compared with a SET of the same size.
import { randomUUID } from 'node:crypto';
import type { PreparedMatch } from '../../src/match/prepared-match.ts';
import { storeAnswer } from '../../src/match/store.ts';
import { groupsOf } from './batches.ts';
import { comparing, type Figure, inTurns } from './figures.ts';
import { redisCpuMs } from './meter.ts';
import { openGames, removeGames } from './running-games.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 5;
const GAMES = 400;
const PLAYERS = 50;
/** The number of commands that are in flight at once. */
const BATCH = 200;
/** No round ends before it has all answers. */
const ROUND_MS = 600_000;

type Answer = Parameters<typeof storeAnswer>[2] & { lobbyId: string };

export async function measureAnswers(stage: Stage): Promise<Figure[]> {
  const { redis } = stage.services;
  let answers: Answer[] = [];
  const [own, floor] = await inTurns(REPETITIONS, [
    async () => {
      await removeGames(stage);
      const games = await openGames(stage, Array(GAMES).fill(Date.now() + ROUND_MS), PLAYERS);
      answers = games.flatMap(answersOf);
      return perSecond(stage, answers, ({ lobbyId, ...answer }) => storeAnswer(redis, lobbyId, answer));
    },
    () =>
      perSecond(stage, answers, ({ lobbyId, userId, ...answer }) =>
        redis.set(`${lobbyId}:${userId}`, JSON.stringify(answer), 'PX', 60_000),
      ),
  ]);
  await removeGames(stage);
  return [comparing(own, 'SET', floor).figure('answers stored by one Redis', '1/s', (rate) => rate)];
}

/** @returns an answer of each player to the first question */
function answersOf({ lobbyId, playerIds, questions: [first] }: PreparedMatch): Answer[] {
  const answer = { lobbyId, questionId: first?.question.questionId ?? '', given: { optionId: 1 } };
  return playerIds.map((userId) => ({ ...answer, userId, token: randomUUID() }));
}

/** @returns how many answers Redis would store in a second of its CPU time */
async function perSecond(
  { redisServers }: Stage,
  answers: readonly Answer[],
  store: (answer: Answer) => Promise<unknown>,
): Promise<number> {
  const beforeMs = await redisCpuMs(redisServers);
  for (const batch of groupsOf(BATCH, answers)) await Promise.all(batch.map(store));
  return (answers.length * 1000) / ((await redisCpuMs(redisServers)) - beforeMs);
}
