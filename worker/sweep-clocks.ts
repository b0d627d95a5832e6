// The last resort of a game: a running lobby whose clock is gone, however that came about, gets a
// new one. Where Redis has lost the game itself, the lobby waits for a new start.
import { announceLobby } from '../src/lobby/announce.ts';
import { listRunning, markWaiting } from '../src/lobby/store.ts';
import type { Clock } from '../src/match/clock.ts';
import type { MatchDeps } from '../src/match/deps.ts';
import { readHead } from '../src/match/store.ts';
import { counter } from '../src/platform/metrics.ts';

const PAGE = 500;

/** By then a start has either opened its game in Redis or failed: no command waits as long. */
const START_MS = 10_000;

const clocksRewound = counter(
  'quiz_clocks_rewound_total',
  'Running games that had lost their clock.',
);

const gamesLost = counter('quiz_games_lost_total', 'Running games that Redis no longer had.');

/** Looks at every running lobby once. */
export async function sweepClocks(deps: MatchDeps & { clock: Clock }): Promise<void> {
  let last: string | null = null;
  for (;;) {
    const games = await listRunning(deps.db, last, PAGE);
    await Promise.all(games.map((game) => sweep(deps, game)));
    last = games.at(-1)?.lobbyId ?? null;
    if (games.length < PAGE) return;
  }
}

async function sweep(
  deps: MatchDeps & { clock: Clock },
  game: { lobbyId: string; gameId: string },
): Promise<void> {
  // A clock that is there holds the plan, and so can still start a game that never was opened.
  if (!(await deps.clock.rewind(game))) return;
  clocksRewound.inc();
  deps.logger.warn(game, 'a running game had no clock');
  const head = await readHead(deps.redis, game.lobbyId);
  if (head?.gameId === game.gameId) return;
  const before = new Date(Date.now() - START_MS);
  if (await markWaiting(deps.db, game.lobbyId, game.gameId, before)) {
    gamesLost.inc();
    deps.logger.error(game, 'a game is lost: Redis no longer has it');
    await announceLobby(deps, game.lobbyId);
  }
}
