// Games that robots play on a fleet, and the check of all that must be true of each of them.
import { expect } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { checkLobby } from '../../src/prove/checker/checker.ts';
import { type Player, seatPlayer } from '../../src/prove/player.ts';
import { eventually } from './eventually.ts';
import type { Fleet } from './fleet.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { postUntilDone } from './player.ts';
import { createSignedInUser, type TestUser } from './users.ts';

/** How late a round may end beyond the outage itself. */
const GRACE_MS = 3000;
/** A whole game, and whatever is done to it. */
const LONG = { timeoutMs: 90_000 };

/** What was done to the service in the middle of a game. */
export interface Harm {
  /** How long a store was away. */
  outageMs: number;
  /** Whether the bell rang meanwhile, so that an answer could not be given in time. */
  isOverBell?: boolean;
}

export interface Game {
  robots: Player[];
  /** Who may come in mid-game. */
  guest: TestUser;
  /** Who has come then, and whom the host has removed. */
  late: Player | null;
  removed: Player | null;
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
  /** From a result to what comes next. */
  intermissionMs?: number;
  /** Whether the host presents, and people may join while the game runs. */
  isRoom?: boolean;
}

/** Starts a game; robots play it to its end. */
export async function startGame(fleet: Fleet, options: GameOptions): Promise<Game> {
  const {
    players,
    rounds,
    thinkMs,
    isSilent = false,
    intermissionMs = 0,
    isRoom = false,
  } = options;
  const [guest, ...users] = (await Promise.all(
    Array.from({ length: 1 + players }, () => createSignedInUser(fleet.services)),
  )) as [TestUser, ...TestUser[]];
  const clients = users.map(({ cookie }) => createHttpClient(fleet.url, { cookie }));
  const [host] = clients as [HttpClient];
  const settings = { rounds, intermissionMs, hostPlays: !isRoom, lateJoin: isRoom };
  const { code } = await postUntilDone({ http: host }, '/api/v1/lobbies', { settings });
  for (const http of clients) await postUntilDone({ http }, `/api/v1/lobbies/${code}/join`, {});
  const robots = users.map((user, i) =>
    seatPlayer(
      fleet.url,
      user,
      code,
      () =>
        (isSilent && i === players - 1) || (isRoom && i === 0)
          ? null
          : 100 + Math.random() * thinkMs,
      { retryMs: 50 },
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
    robots[0]?.lobby.start();
    return eventually(() => gameIdOf(robots[0] as Player), { timeoutMs: 5000 });
  });
  return { robots, guest, late: null, removed: null, gameId, code, rounds };
}

/** In mid-game somebody comes, and the host removes the last but one of the others. */
export async function stirUp(fleet: Fleet, game: Game): Promise<void> {
  const { robots, guest, code } = game;
  const [host, removed] = [robots[0], robots.at(-2)] as [Player, Player];
  game.removed = removed;
  const http = createHttpClient(fleet.url, { cookie: guest.cookie });
  await postUntilDone({ http }, `/api/v1/lobbies/${code}/join`, {});
  game.late = seatPlayer(fleet.url, guest, code, () => 100, { retryMs: 50 });
  robots.push(game.late);
  await eventually(
    () => {
      if (removed.asides.length > 0) return;
      // What a store was away for is said again.
      host.lobby.kick(removed.user.id);
      throw new Error(`${removed.user.name} is still there`);
    },
    { intervalMs: 1000 },
  );
}

/** All who are in it have seen its end. */
export async function untilFinished({ robots, removed }: Game): Promise<void> {
  const isTold = ({ received }: Player) =>
    received.some(({ event }) => event.type === 'game:finished');
  await eventually(() => {
    for (const robot of robots) if (robot !== removed) expect(isTold(robot)).toBe(true);
  }, LONG);
}

function gameIdOf({ received }: Player): string {
  const question = received.find(({ event }) => event.type === 'game:question')?.event;
  if (question?.type !== 'game:question') throw new Error('no question yet');
  return question.gameId;
}

/**
 * What all clients have heard and what is stored is right, every answer counted, every round ended in
 * time.
 */
export async function checkGame(
  fleet: Fleet,
  { robots, late, removed, gameId, code, rounds }: Game,
  { outageMs, isOverBell = false }: Harm,
): Promise<void> {
  const [{ user }] = robots as [Player];
  const client = createClient({ baseUrl: fleet.url, cookie: user.cookie });
  const [game, { lobbyId, players }] = await Promise.all([
    client.getGame(gameId),
    client.getLobby(code),
  ]);
  const history = {
    ...{ lobbyId, code, settings: game.settings, words: null, clients: robots, stored: [game] },
    ...{ members: players.map(({ userId }) => userId), leaving: [] },
    ...{ kicked: removed ? [removed.user.id] : [], attempts: [] },
    joined: robots.map((robot) => robot.user.id),
  };
  const verdict = checkLobby(history, { losses: [] });
  expect(verdict).toMatchObject({ violations: [], games: 1, rounds });
  for (const robot of robots)
    if (robot !== removed) expectAnswersCounted(robot, isOverBell || robot === late);
  expect(latenessMs(robots)).toBeLessThan(outageMs + GRACE_MS);
}

function expectAnswersCounted({ received, choices, user }: Player, mayBeLate: boolean): void {
  for (const { event } of received) {
    if (event.type !== 'game:answer_result') continue;
    const answer = event.answers.find(({ userId }) => userId === user.id);
    const counted = answer?.selectedOptionId ?? undefined;
    if (counted === undefined && mayBeLate) continue;
    expect(counted).toBe(choices.get(event.questionId));
  }
}

/** How late the latest round was resolved, as a client saw it. */
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
