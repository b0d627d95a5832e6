// Gives a running game a new clock where its clock is missing, for example after Redis has lost writes in a
// failover. Where Redis has lost the game too, its lobby goes back to waiting for a start.
import { announceLobby } from '../../lobby/event-log.ts';
import { listByActivity, markWaiting } from '../../lobby/store.ts';
import { counter } from '../../platform/observability/metrics.ts';
import { logFailure } from '../../platform/outages/outage-log.ts';
import { chunksOf } from '../../platform/redis/scripts.ts';
import type { Services } from '../../services.ts';
import { type MatchServices, readHead } from '../store.ts';
import type { ClockJob } from './clock.ts';

type Game = Pick<ClockJob, 'lobbyId' | 'gameId'>;
type RestoreServices = MatchServices & Pick<Services, 'clock'>;

/** Games that one call checks at most; the next call goes on behind them: 24,000 games a minute. */
const BATCH_SIZE = 2000;

/** Games that are restored at the same time; more of them would use too many connections to PostgreSQL. */
const MAX_CONCURRENT = 100;

/** The key of the last batch's end, a hash of `startedAtMs` and `lobbyId`; without it the next one starts over. */
const POSITION_KEY = '{quiz}:clock-check-position';

/** The longest time of a start, in ms: no command waits as long. A younger game may still be opening. */
const START_MS = 10_000;

const clocksRestored = counter('quiz_clocks_restored_total', 'Running games that had lost their clock.');

const gamesLost = counter('quiz_games_lost_total', 'Running games that Redis no longer had.');

/**
 * Checks the next batch of running games, those without activity for longest first; after the last game it starts
 * over. A game that can't be restored is logged and tried again in its next turn, and delays no other.
 */
export async function restoreClocks(deps: RestoreServices): Promise<void> {
  const { startedAtMs, lobbyId } = await deps.redis.hgetall(POSITION_KEY);
  const after = lobbyId ? { lobbyId, activeAt: new Date(Number(startedAtMs)) } : undefined;
  const lobbies = await listByActivity(deps.db, 'running', { after, limit: BATCH_SIZE });
  const games = lobbies.flatMap((lobby) => (lobby.gameId ? [{ lobbyId: lobby.lobbyId, gameId: lobby.gameId }] : []));
  const unscheduled = await deps.clock.findUnscheduled(games);
  const restore = (game: Game) =>
    restoreOrGiveUp(deps, game).catch((error: unknown) => {
      logFailure(deps.logger, 'error', error, 'a clock can’t be restored', { ...game });
    });
  for (const chunk of chunksOf(unscheduled, MAX_CONCURRENT)) await Promise.all(chunk.map(restore));
  const last = lobbies.length < BATCH_SIZE ? undefined : lobbies.at(-1);
  if (!last) await deps.redis.del(POSITION_KEY);
  else await deps.redis.hset(POSITION_KEY, { startedAtMs: last.activeAt.getTime(), lobbyId: last.lobbyId });
}

async function restoreOrGiveUp(deps: RestoreServices, game: Game): Promise<void> {
  const { lobbyId, gameId } = game;
  const head = await readHead(deps.redis, lobbyId);
  if (head?.gameId === gameId) {
    // The game has ended since PostgreSQL listed it.
    if (head.status === 'finished') return;
    await deps.clock.restore(game);
    clocksRestored.inc();
    deps.logger.warn(game, 'a running game had no clock');
  } else if (await markWaiting(deps.db, lobbyId, gameId, START_MS)) {
    gamesLost.inc();
    deps.logger.error(game, 'a game is lost: Redis no longer has it');
    await announceLobby(deps, lobbyId);
  }
}
