// One lobby from its beginning to its end, played by robots that think, drop their connections,
// come late and leave, as the seed has it; clients that try again until they get through.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerEvent } from '../../src/realtime/schema.ts';
import { createHttpClient } from '../support/http-client.ts';
import { type Robot, startRobot } from '../support/robot.ts';
import type { TestUser } from '../support/users.ts';
import type { LobbyHistory, Wait } from './history.ts';
import type { Random } from './random.ts';
import { waitsOf } from './waits.ts';

const TICK_MS = 100;
const START_EVERY_MS = 1000;
const REQUEST_TIMEOUT_MS = 6000;
const HANDSHAKE_TIMEOUT_MS = 3000;
/** Whoever waits so long for the end of a game of seconds, waits for ever. */
const GIVE_UP_MS = 180_000;

export interface TableDeps {
  url: string;
  roundMs: number;
  /** Another release plays too; nobody knows which of them a failure is from. */
  isMixed: boolean;
  /** The run is being ended: everything stops where it is. */
  signal: AbortSignal;
  /** Something that no outage explains. */
  onTrouble(text: string): void;
}

/** What is known of a lobby when its clients have gone. */
export interface Played {
  history: Omit<LobbyHistory, 'stored' | 'members'>;
  waits: Wait[];
  reconnections: number;
}

/** @param users the first one is the host */
export async function playLobby(
  deps: TableDeps,
  users: readonly TestUser[],
  random: Random,
): Promise<Played> {
  const waits: Wait[] = [];
  const [host, ...others] = users as [TestUser, ...TestUser[]];
  const scoring = random.pick(['accuracy', 'speed'] as const);
  const settings = { rounds: random.int(1, 4), scoring };
  const openedMs = Date.now();
  const { lobbyId, code } = await ask(deps, host, '/api/v1/lobbies', { settings });
  waits.push({ what: 'a lobby', lobbyId, fromMs: openedMs, toMs: Date.now() });
  await Promise.all(
    others.map(async (user) => {
      const fromMs = Date.now();
      await ask(deps, user, `/api/v1/lobbies/${code}/join`, {});
      waits.push({ what: 'a join', lobbyId, fromMs, toMs: Date.now() });
    }),
  );

  const robots: Robot[] = [];
  const leaving = new Set<string>();
  const seat = (user: TestUser) => {
    const luck = random.fork();
    const isSilent = luck.chance(0.15);
    // Now and then somebody thinks for too long.
    const think = () => (isSilent ? null : luck.int(0, Math.round(deps.roundMs * 1.1)));
    const options = {
      ...{ random: luck.next, asksTwice: luck.chance(0.7) },
      handshakeTimeoutMs: HANDSHAKE_TIMEOUT_MS,
    };
    robots.push(startRobot(deps.url, user, code, think, options));
  };
  const late = others.length > 1 && random.chance(0.2) ? others.at(-1) : undefined;
  for (const user of users) if (user !== late) seat(user);

  await untilOver({ deps, robots, leaving, random, late, seat, startedMs: openedMs });
  await sleep(random.int(0, 500));
  const untilMs = Date.now();
  for (const robot of robots) robot.stop();
  const joined = users.map(({ id }) => id);
  const history = { lobbyId, code, scoring, clients: robots, joined, leaving: [...leaving] };
  return {
    history,
    waits: [...waits, ...waitsOf(history, untilMs)],
    reconnections: robots.reduce((sum, { reconnections }) => sum + reconnections, 0),
  };
}

interface Course {
  deps: TableDeps;
  robots: Robot[];
  leaving: Set<string>;
  random: Random;
  late: TestUser | undefined;
  seat(user: TestUser): void;
  startedMs: number;
}

async function untilOver(course: Course): Promise<void> {
  const { deps, robots, leaving, random, seat, startedMs } = course;
  const [host] = robots as [Robot];
  let { late } = course;
  let startSentMs = 0;
  while (!deps.signal.aborted) {
    if (robots.every((robot) => leaving.has(robot.user.id) || isOver(robot)) && !late) return;
    if (Date.now() - startedMs > GIVE_UP_MS) {
      deps.onTrouble(`nobody has seen the end of a game: ${describe(robots)}`);
      return;
    }
    if (mayStart(host) && Date.now() - startSentMs > START_EVERY_MS) {
      host.send({ type: 'lobby:start' });
      startSentMs = Date.now();
    }
    if (random.chance(0.01)) random.pick(robots).drop();
    const isRunning = lastGameEvent(host) !== undefined;
    if (late && (isRunning ? random.chance(0.1) : isOver(host))) {
      seat(late);
      late = undefined;
    }
    if (isRunning && leaving.size === 0 && random.chance(0.004)) leave(random.pick(robots));
    await sleep(TICK_MS);
  }

  function leave(robot: Robot): void {
    leaving.add(robot.user.id);
    robot.send({ type: 'lobby:leave' });
  }
}

const typed = <T extends ServerEvent['type']>(robot: Robot, type: T) =>
  robot.received.findLast(({ event }) => event.type === type)?.event as
    | Extract<ServerEvent, { type: T }>
    | undefined;

const lastGameEvent = ({ received }: Robot) =>
  received.findLast(({ event }) => event.type.startsWith('game:'))?.event;

function isOver(robot: Robot): boolean {
  return (
    lastGameEvent(robot)?.type === 'game:finished' || typed(robot, 'lobby:closed') !== undefined
  );
}

/** As the host's page would offer it. */
function mayStart(host: Robot): boolean {
  const state = typed(host, 'lobby:state');
  if (state?.lobby.status !== 'waiting') return false;
  const game = lastGameEvent(host);
  if (game && game.seq > state.seq) return false;
  return state.lobby.players.filter(({ connected }) => connected).length >= 2;
}

function describe(robots: readonly Robot[]): string {
  return robots.map((robot) => `${robot.user.name}: ${lastGameEvent(robot)?.type}`).join(', ');
}

/** Asks until it is done. @returns the lobby */
async function ask(
  { url, signal, isMixed, onTrouble }: TableDeps,
  user: TestUser,
  path: string,
  body: object,
): Promise<{ lobbyId: string; code: string }> {
  const http = createHttpClient(url, { cookie: user.cookie });
  for (;;) {
    const answer = await http
      .request('POST', path, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      })
      .catch(() => null);
    if (answer && answer.status < 300) return answer.body;
    if (answer && answer.status !== 503 && !(isMixed && answer.status === 500))
      onTrouble(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    signal.throwIfAborted();
    await sleep(TICK_MS);
  }
}
