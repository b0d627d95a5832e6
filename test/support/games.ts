// Robots play games on a fleet; afterwards a checker verifies what all clients received.
import { expect } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { checkLobby } from '../../src/tools/prove/checker/checker.ts';
import { type Player, seatPlayer } from '../../src/tools/prove/robot.ts';
import { eventually } from './eventually.ts';
import type { Fleet } from './fleet.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { postUntilDone } from './player.ts';
import { createSignedInUser } from './users.ts';

/** The time by which a round may end late, ms. */
const GRACE_MS = 3000;
/** The timeout of a whole game with its faults. */
const GAME_TIMEOUT = { timeoutMs: 90_000 };

export interface Game {
  robots: Player[];
  gameId: string;
  code: string;
  rounds: number;
}

export interface GameOptions {
  players: number;
  rounds: number;
  /** The longest time that robots take to answer. */
  thinkMs: number;
  /** Whether the last player never answers, so that every round ends by its timer. */
  isSilent?: boolean;
}

/** Starts a game, which robots then play. */
export async function startGame(fleet: Fleet, options: GameOptions): Promise<Game> {
  const { players, rounds, thinkMs, isSilent = false } = options;
  const users = await Promise.all(Array.from({ length: players }, () => createSignedInUser(fleet.services)));
  const clients = users.map(({ cookie }) => createHttpClient(fleet.url, { cookie }));
  const [host] = clients as [HttpClient];
  const { code } = await postUntilDone({ http: host }, '/api/v1/lobbies', { settings: { rounds } });
  for (const http of clients) await postUntilDone({ http }, `/api/v1/lobbies/${code}/join`, {});
  const robots = users.map((user, i) =>
    seatPlayer(fleet.url, user, code, () => (isSilent && i === players - 1 ? null : 100 + Math.random() * thinkMs), {
      retryMs: 50,
    }),
  );
  await eventually(() => {
    for (const { received } of robots) {
      const states = received.flatMap(({ event }) => (event.type === 'lobby:state' ? [event] : []));
      expect(states.at(-1)?.lobby.players.every((player) => player.connected)).toBe(true);
    }
  });
  // The start is repeated, since it may be lost or refused with UNAVAILABLE; a second start is refused.
  const gameId = await eventually(async () => {
    robots[0]?.lobby.start();
    return eventually(() => gameIdOf(robots[0] as Player), { timeoutMs: 5000 });
  });
  return { robots, gameId, code, rounds };
}

/** Waits until all players have received the end of the game. */
export async function untilFinished({ robots }: Game): Promise<void> {
  const hasEnd = ({ received }: Player) => received.some(({ event }) => event.type === 'game:finished');
  await eventually(() => {
    for (const robot of robots) expect(hasEnd(robot)).toBe(true);
  }, GAME_TIMEOUT);
}

function gameIdOf({ received }: Player): string {
  const question = received.find(({ event }) => event.type === 'game:question')?.event;
  if (question?.type !== 'game:question') throw new Error('no question yet');
  return question.gameId;
}

/**
 * Asserts that everything that clients received and that was stored is consistent, that every answer was
 * counted, and that every round ended in time.
 */
export async function checkGame(fleet: Fleet, { robots, gameId, code, rounds }: Game): Promise<void> {
  const [{ user }] = robots as [Player];
  const client = createClient({ baseUrl: fleet.url, cookie: user.cookie });
  const [game, { lobbyId, players }] = await Promise.all([client.getGame(gameId), client.getLobby(code)]);
  const history = {
    lobbyId,
    code,
    settings: game.settings,
    words: null,
    clients: robots,
    stored: [game],
    members: players.map(({ userId }) => userId),
    leaving: [],
    kicked: [],
    attempts: [],
    joined: robots.map((robot) => robot.user.id),
  };
  const verdict = checkLobby(history, { losses: [] });
  expect(verdict).toMatchObject({ violations: [], games: 1, rounds });
  for (const robot of robots) expectAnswersCounted(robot);
  expect(latenessMs(robots)).toBeLessThan(GRACE_MS);
}

function expectAnswersCounted({ received, choices, user }: Player): void {
  for (const { event } of received) {
    if (event.type !== 'game:answer_result') continue;
    const answer = event.answers?.find(({ userId }) => userId === user.id);
    expect(answer?.selectedOptionId ?? undefined).toBe(choices.get(event.questionId));
  }
}

/** @returns the longest time between a round's deadline and its result on any client */
function latenessMs(robots: Player[]): number {
  const late = robots.flatMap(({ received }) => {
    let deadlineMs = Number.POSITIVE_INFINITY;
    return received.flatMap(({ event, atMs }) => {
      if (event.type === 'game:question') deadlineMs = Date.parse(event.deadline);
      const isResult = event.type === 'game:answer_result' && !event.snapshot;
      return isResult ? [atMs - deadlineMs] : [];
    });
  });
  if (process.env.FIGURES) console.log(expect.getState().currentTestName, Math.max(...late));
  return Math.max(...late);
}
