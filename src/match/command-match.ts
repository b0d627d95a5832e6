// What the host of a running game can say: go on, or stop. [contract 11]
import { AppError } from '../errors.ts';
import { requireHost } from '../lobby/host.ts';
import type { MatchDeps } from './deps.ts';
import { resolveQuietly } from './end-phase.ts';
import { skip } from './store.ts';

/**
 * Ends a phase, or the game. From its word on it is over, whoever carries that out.
 * @throws AppError NOT_IN_LOBBY, NOT_HOST, NOT_IN_GAME, ROUND_CLOSED
 */
export async function commandMatch(
  deps: MatchDeps,
  lobbyId: string,
  userId: string,
  command: Parameters<typeof skip>[2],
): Promise<void> {
  const { roster } = await requireHost(deps.db, lobbyId, userId);
  if (roster.status !== 'running') throw new AppError('NOT_IN_GAME');
  const reply = await skip(deps.redis, lobbyId, command);
  if (reply === 'NOT_IN_GAME') throw new AppError('NOT_IN_GAME');
  if (reply !== 'ROUND_CLOSED') await resolveQuietly(deps, lobbyId);
  if (reply !== 'due') throw new AppError('ROUND_CLOSED');
}
