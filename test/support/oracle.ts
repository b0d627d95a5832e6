// Robots play a lobby of a running service, and the oracle judges what they have received and what is stored, as
// `npm run prove` does. Tests and benches use it.
import { checkLobby } from '../../src/tools/prove/checker/checker.ts';
import type { Violation } from '../../src/tools/prove/history.ts';
import { type LobbyDeps, playLobby } from '../../src/tools/prove/play-lobby.ts';
import { readStored } from '../../src/tools/prove/prove.ts';
import { createRandom } from '../../src/tools/prove/random.ts';
import type { Account } from '../../src/tools/prove/robot.ts';

const SEED = 20_261_126;
/** An event that comes later than this is a violation, ms: longer than a busy machine needs. */
export const LATE_MAX_MS = 60_000;

/**
 * Plays one game of two rounds.
 * @param settings those of the lobby that differ
 * @param streams the share of players on streams
 * @returns what the oracle finds
 */
export async function playJudged(url: string, accounts: readonly Account[], settings: object, streams = 0) {
  const troubles: Violation[] = [];
  const deps: LobbyDeps = {
    url,
    streams,
    signal: new AbortController().signal,
    onTrouble: (text) => void troubles.push({ kind: 'trouble', text }),
    settings: { rounds: 2, roundMs: 1000, intermissionMs: 0, scoring: 'accuracy', ...settings },
    games: 1,
    thinkMs: 300,
    player: {},
    isTimeLeft: () => true,
  };
  const played = await playLobby(deps, accounts, createRandom(SEED));
  const history = await readStored(deps, played, accounts);
  return [...troubles, ...checkLobby(history, { lateMaxMs: LATE_MAX_MS }).violations];
}
