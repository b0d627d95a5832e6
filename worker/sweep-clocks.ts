// The last resort of a game: a running lobby whose clock is gone, however that came about, gets a
// new one. Where Redis has lost the game itself, the lobby waits for a new start.
import { announceLobby } from '../src/lobby/announce.ts';
import { listRunning, markWaiting, type RunningGame } from '../src/lobby/store.ts';
import type { Clock } from '../src/match/clock.ts';
import { freeLeft } from '../src/match/clock-store.ts';
import type { MatchDeps } from '../src/match/deps.ts';
import { readHead } from '../src/match/store.ts';
import { counter } from '../src/platform/metrics.ts';
import type { RedisClient } from '../src/platform/redis.ts';

/** Games a sweep: all of them, or the next of many. At one in five seconds, 24,000 a minute. */
const SWEEP_GAMES = 2000;

/** Games at once: those that are lost take statements of PostgreSQL, and others wait for those too. */
const AT_ONCE = 100;

/** Where the sweep before ended: a time in ms and a lobby, `<ms> <lobby>`. */
const SWEPT_KEY = '{quiz}:clocks-swept';

/** By then a start has either opened its game in Redis or failed: no command waits as long. */
const START_MS = 10_000;

const clocksRewound = counter(
  'quiz_clocks_rewound_total',
  'Running games that had lost their clock.',
);

const gamesLost = counter('quiz_games_lost_total', 'Running games that Redis no longer had.');

/** Looks at the running games that were started after those of the sweep before; after the last begins anew. */
export async function sweepClocks(deps: MatchDeps & { clock: Clock }): Promise<void> {
  await freeLeft(deps.redis, await deps.clock.places());
  const games = await listRunning(deps.db, await readSwept(deps.redis), SWEEP_GAMES);
  const sleepless = await deps.clock.sleepless(games);
  for (let from = 0; from < sleepless.length; from += AT_ONCE)
    await Promise.all(sleepless.slice(from, from + AT_ONCE).map((game) => sweep(deps, game)));
  const last = games.length < SWEEP_GAMES ? undefined : games.at(-1);
  if (last) await deps.redis.set(SWEPT_KEY, `${last.startedAt.getTime()} ${last.lobbyId}`);
  else await deps.redis.del(SWEPT_KEY);
}

async function readSwept(redis: RedisClient) {
  const [startedAtMs, lobbyId] = (await redis.get(SWEPT_KEY))?.split(' ') ?? [];
  return lobbyId ? { lobbyId, startedAt: new Date(Number(startedAtMs)) } : null;
}

async function sweep(
  deps: MatchDeps & { clock: Clock },
  { lobbyId, gameId }: RunningGame,
): Promise<void> {
  const game = { lobbyId, gameId };
  // A clock that is there holds the plan, and so can still start a game that never was opened.
  if (!(await deps.clock.rewind(game))) return;
  clocksRewound.inc();
  deps.logger.warn(game, 'a running game had no clock');
  const head = await readHead(deps.redis, lobbyId);
  if (head?.gameId === gameId) return;
  if (await markWaiting(deps.db, lobbyId, gameId, START_MS)) {
    gamesLost.inc();
    deps.logger.error(game, 'a game is lost: Redis no longer has it');
    await announceLobby(deps, lobbyId);
  }
}
