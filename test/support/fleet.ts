// A fleet is the service as in production: processes of replicas and workers, behind a load balancer.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { createServices, type Services } from '../../src/services.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { checkLobby } from '../../src/tools/prove/checker/checker.ts';
import { type Player, seatPlayer } from '../../src/tools/prove/robot.ts';
import { type Balancer, startBalancer, startHaproxy } from './balancer.ts';
import { eventually } from './eventually.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { postUntilDone } from './player.ts';
import { createRestartableProcess, type RestartableProcess } from './restartable-process.ts';
import { startStores, type TestStores } from './stores.ts';
import { createSignedInUser } from './users.ts';

export interface Fleet {
  url: string;
  stores: TestStores;
  /** Services in the test's process, with which a test creates users and runs commands. */
  services: Services;
  replicas: RestartableProcess[];
  workers: RestartableProcess[];
  stop(): Promise<void>;
}

/**
 * Starts replicas and as many workers.
 * @param env overrides of their environment variables
 * @param size the number of replicas, which is that of workers too
 */
export async function startFleet(env: NodeJS.ProcessEnv = {}, size = 2): Promise<Fleet> {
  const stores = await startStores({ hasWords: true });
  const ports: number[] = [];
  for (let index = 0; index < size; index++) ports.push(await freePort());
  const start = process.env.FLEET_BALANCER === 'haproxy' ? startHaproxy : startBalancer;
  const balancer: Balancer = await start(ports);
  const common = {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    METRICS_PORT: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: mkdtempSync(join(inject('temporaryFolder'), 'fleet-')),
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    BETTER_AUTH_URL: balancer.url,
    BETTER_AUTH_SECRET: 'a secret of forty characters for the fleet',
    PASSWORD_HASH_COST: '16',
    // A machine that runs other tests as well is slow, which is no reason for a 503 here.
    BUSY_AFTER_MS: '1000000',
    RATE_LIMIT_LOBBY_MAX: '100000',
    RATE_LIMIT_GAME_MAX: '100000',
    ...env,
  };
  const config: Config = readConfig({ ...common, PORT: '0' });
  const services = createServices(config, createLogger('silent', 'test'));
  const replicas = ports.map((port) =>
    createRestartableProcess({
      entry: 'src/server.ts',
      env: () => ({ ...common, PORT: String(port) }),
      isReady: () => isHealthy(`http://127.0.0.1:${port}`),
    }),
  );
  const workers = ports.map(() =>
    createRestartableProcess({ entry: 'worker/main.ts', env: () => common, isReady: async () => {} }),
  );
  await Promise.all([...replicas, ...workers].map((one) => one.start()));
  // The balancer notices a replica that has started at its next check.
  await eventually(() => isHealthy(balancer.url));
  return {
    url: balancer.url,
    stores,
    services,
    replicas,
    workers,
    async stop() {
      await Promise.all([...replicas, ...workers].map((one) => one.kill()));
      await balancer.stop();
      await services.stop();
      await stores.stop();
    },
  };
}

async function isHealthy(url: string): Promise<void> {
  const response = await fetch(`${url}/api/health`);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
}

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
