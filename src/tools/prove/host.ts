// The commands of a lobby's host, and what the host's client knows of the lobby. [contract 11]
import type { ServerEvent } from '../../client/types.ts';
import type { Player } from './player.ts';

export const eventsOf = <T extends ServerEvent['type']>({ received }: Player, type: T) =>
  received.flatMap(({ event }) => (event.type === type ? [event as Extract<ServerEvent, { type: T }>] : []));

export const lastGameEvent = ({ received }: Player) =>
  received.findLast(({ event }) => event.type.startsWith('game:'))?.event;

export const gamesBegun = (player: Player) =>
  new Set(eventsOf(player, 'game:question').map(({ gameId }) => gameId)).size;

/** @param game the game's number within the lobby, from 1 */
export function isOver(player: Player, game: number): boolean {
  const ended = new Set(eventsOf(player, 'game:finished').map(({ gameId }) => gameId)).size;
  return ended >= game || player.lobby.status === 'ended';
}

const latestState = (player: Player) => eventsOf(player, 'lobby:state').at(-1);

/** @returns the present player who is the host now; the role passes on when a host leaves */
export function hostOf(present: readonly Player[]): Player | undefined {
  const states = present.flatMap((player) => latestState(player) ?? []);
  const latest = states.toSorted((a, b) => b.seq - a.seq)[0];
  return latest ? present.find(({ user }) => user.id === latest.lobby.hostId) : present[0];
}

/** @returns the lobby if, by the player's last event, it waits for a game */
export function waitingLobby(player: Player) {
  const state = latestState(player);
  const last = lastGameEvent(player);
  const isNews = state && (!last || last.seq <= state.seq);
  return isNews && state.lobby.status === 'waiting' ? state.lobby : undefined;
}

/** Starts a game, or asks for another one, where that is possible. @returns whether it sent anything */
export function startGame(host: Player, game: number): boolean {
  const last = lastGameEvent(host);
  const lobby = waitingLobby(host);
  if (lobby) {
    if (lobby.connectedCount < 2) return false;
    host.lobby.start();
    return true;
  }
  if (game === 1 || last?.type !== 'game:finished' || isOver(host, game)) return false;
  host.lobby.again();
  return true;
}

/** Ends the open phase early. */
export function skipPhase(host: Player): void {
  const last = lastGameEvent(host);
  if (last?.type === 'game:question') host.lobby.next(last.round, 'round');
  if (last?.type === 'game:answer_result') host.lobby.next(last.round, 'intermission');
}

/** Sets the number of rounds while the lobby waits. */
export function configure(host: Player, rounds: number): void {
  if (latestState(host)?.lobby.status === 'waiting') host.lobby.configure({ settings: { rounds } });
}

/** Locks the lobby, or unlocks it. */
export function toggleLock(host: Player): void {
  host.lobby.lock(!latestState(host)?.lobby.locked);
}
