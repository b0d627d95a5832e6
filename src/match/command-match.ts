// The host of a running game ends a phase early, or the whole game. [contract 11]
import { AppError } from '../errors.ts';
import { requireHost } from '../lobby/host.ts';
import { tryToEndPhase } from './end-phase.ts';
import { type HostCommand, type MatchServices, storeSkip } from './store.ts';

/**
 * Marks the phase or the game as over, and ends it; if this process dies meanwhile, the next caller of `endPhase` does.
 * @throws AppError NOT_IN_LOBBY, NOT_HOST, NOT_IN_GAME, ROUND_CLOSED
 */
export async function commandMatch(deps: MatchServices, lobbyId: string, userId: string, command: HostCommand) {
  const { roster } = await requireHost(deps.postgres, lobbyId, userId);
  if (roster.status !== 'running') throw new AppError('NOT_IN_GAME');
  const reply = await storeSkip(deps.redis, lobbyId, command);
  if (reply === 'NOT_IN_GAME' || reply === 'ROUND_CLOSED') throw new AppError(reply);
  await tryToEndPhase(deps, lobbyId);
  if (reply === 'OVERDUE') throw new AppError('ROUND_CLOSED');
}
