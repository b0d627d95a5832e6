// Games that robots play on a fleet, and the check of all that must be true of each of them.
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import type { Fleet } from './fleet.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { expectSameMarks } from './marks.ts';
import { postUntilDone } from './player.ts';
import { type Robot, startRobot } from './robot.ts';
import { createSignedInUser } from './users.ts';

/** How late a round may end beyond the outage itself. */
const GRACE_MS = 3000;

/** What was done to the service in the middle of a game. */
export interface Harm {
  /** How long a store was away. */
  outageMs: number;
  /** Whether the bell rang meanwhile, so that an answer could not be given in time. */
  isOverBell?: boolean;
}

export interface Game {
  robots: Robot[];
  gameId: string;
  code: string;
  rounds: number;
}

export interface GameOptions {
  players: number;
  rounds: number;
  /** How long the robots think at most before they answer. */
  thinkMs: number;
  /** Whether the last player never answers, so that every round needs its timer. */
  isSilent?: boolean;
}

/** Starts a game; robots play it to its end. */
export async function startGame(fleet: Fleet, options: GameOptions): Promise<Game> {
  const { players, rounds, thinkMs, isSilent = false } = options;
  const users = await Promise.all(
    Array.from({ length: players }, () => createSignedInUser(fleet.services)),
  );
  const clients = users.map(({ cookie }) => createHttpClient(fleet.url, { cookie }));
  const [host] = clients as [HttpClient];
  const { code } = await postUntilDone({ http: host }, '/api/v1/lobbies', { settings: { rounds } });
  for (const http of clients) await postUntilDone({ http }, `/api/v1/lobbies/${code}/join`, {});
  const robots = users.map((user, i) =>
    startRobot(fleet.url, user, code, () =>
      isSilent && i === players - 1 ? null : 100 + Math.random() * thinkMs,
    ),
  );
  await eventually(() => {
    for (const { received } of robots) {
      const states = received.flatMap(({ event }) => (event.type === 'lobby:state' ? [event] : []));
      expect(states.at(-1)?.lobby.players.every((player) => player.connected)).toBe(true);
    }
  });
  // What is answered with a 503, or gets lost, is said again; who says it twice is refused.
  const gameId = await eventually(async () => {
    robots[0]?.send({ type: 'lobby:start' });
    return eventually(() => gameIdOf(robots[0] as Robot), { timeoutMs: 5000 });
  });
  return { robots, gameId, code, rounds };
}

function gameIdOf({ received }: Robot): string {
  const question = received.find(({ event }) => event.type === 'game:question')?.event;
  if (question?.type !== 'game:question') throw new Error('no question yet');
  return question.gameId;
}

/**
 * Every client got every event once and in order, the same as the others; every round was resolved
 * once and in time; every answer counted; what was broadcast is what is stored.
 */
export async function checkGame(
  fleet: Fleet,
  { robots, gameId, rounds }: Game,
  { outageMs, isOverBell = false }: Harm,
): Promise<void> {
  const logs = robots.map(eventsOf);
  for (const log of logs) {
    const seqs = log.map(({ seq }) => seq);
    // The first is the snapshot; from there on every number comes exactly once.
    expect(seqs).toEqual(seqs.map((_, i) => (seqs[0] as number) + i));
    expect(log.map(({ type }) => type).filter((type) => type.startsWith('game:'))).toEqual([
      ...Array.from({ length: rounds }, () => ['game:question', 'game:answer_result']).flat(),
      'game:finished',
    ]);
  }
  expectSame(logs);
  for (const robot of robots) expectAnswersCounted(robot, isOverBell);
  expect(latenessMs(robots)).toBeLessThan(outageMs + GRACE_MS);
  await expectStored(fleet, robots[0] as Robot, gameId);
}

function eventsOf({ received }: Robot) {
  return received.map(({ event }) => event);
}

/**
 * Events of the same number are the same for everybody, but for the time that remained; a snapshot
 * carries the mark of its number.
 */
function expectSame(logs: ReturnType<typeof eventsOf>[]): void {
  expectSameMarks(logs);
  const known = new Map<number, string>();
  for (const log of logs) {
    for (const event of log.slice(1)) {
      const text = JSON.stringify({ ...event, remainingMs: 0 });
      expect(known.get(event.seq) ?? text).toBe(text);
      known.set(event.seq, text);
    }
  }
}

function expectAnswersCounted({ received, choices, user }: Robot, mayBeLate: boolean): void {
  for (const { event } of received) {
    if (event.type !== 'game:answer_result') continue;
    const answer = event.answers.find(({ userId }) => userId === user.id);
    const counted = answer?.selectedOptionId ?? undefined;
    if (counted === undefined && mayBeLate) continue;
    expect(counted).toBe(choices.get(event.questionId));
  }
}

/** How late the latest round was resolved, as a client saw it. */
function latenessMs(robots: Robot[]): number {
  const late = robots.flatMap(({ received }) => {
    let deadlineMs = Number.POSITIVE_INFINITY;
    return received.flatMap(({ event, atMs }) => {
      if (event.type === 'game:question') deadlineMs = Date.parse(event.deadline);
      return event.type === 'game:answer_result' ? [atMs - deadlineMs] : [];
    });
  });
  if (process.env.FIGURES) console.log(expect.getState().currentTestName, Math.max(...late));
  return Math.max(...late);
}

async function expectStored(
  fleet: Fleet,
  { user, received }: Robot,
  gameId: string,
): Promise<void> {
  const client = createHttpClient(fleet.url, { cookie: user.cookie });
  const { body } = await client.get(`/api/v1/games/${gameId}`);
  const finished = received.find(({ event }) => event.type === 'game:finished')?.event;
  if (finished?.type !== 'game:finished') throw new Error('not finished');
  expect(body.winnerIds).toEqual(finished.winnerIds);
  expect(body.scores.map(({ correct: _, ...score }: { correct: number }) => score)).toEqual(
    finished.scores,
  );
}
