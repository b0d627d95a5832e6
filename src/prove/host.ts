// What a host does, seen from what the lobby's players have heard. [contract 11]
import type { ServerEvent } from '../client/types.ts';
import type { Player } from './player.ts';

export const eventsOf = <T extends ServerEvent['type']>({ received }: Player, type: T) =>
  received.flatMap(({ event }) =>
    event.type === type ? [event as Extract<ServerEvent, { type: T }>] : [],
  );

export const lastGameEvent = ({ received }: Player) =>
  received.findLast(({ event }) => event.type.startsWith('game:'))?.event;

export const gamesBegun = (player: Player) =>
  new Set(eventsOf(player, 'game:question').map(({ gameId }) => gameId)).size;

/** @param game which one of the lobby, from 1 */
export function isOver(player: Player, game: number): boolean {
  const ended = new Set(eventsOf(player, 'game:finished').map(({ gameId }) => gameId)).size;
  return ended >= game || player.lobby.status === 'ended';
}

const latestState = (player: Player) => eventsOf(player, 'lobby:state').at(-1);

/** The role goes on to another player when the host leaves. */
export function hostOf(present: readonly Player[]): Player | undefined {
  const states = present.flatMap((player) => latestState(player) ?? []);
  const latest = states.toSorted((a, b) => b.seq - a.seq)[0];
  return latest ? present.find(({ user }) => user.id === latest.lobby.hostId) : present[0];
}

/** @returns the lobby, if it waits as far as a player knows */
export function waitingLobby(player: Player) {
  const state = latestState(player);
  const last = lastGameEvent(player);
  const isNews = state && (!last || last.seq <= state.seq);
  return isNews && state.lobby.status === 'waiting' ? state.lobby : undefined;
}

/** What the host's page would offer now. @returns whether there was anything */
export function command(host: Player, game: number): boolean {
  const last = lastGameEvent(host);
  const lobby = waitingLobby(host);
  if (lobby) {
    if (lobby.players.filter(({ connected }) => connected).length < 2) return false;
    host.lobby.start();
    return true;
  }
  if (game === 1 || last?.type !== 'game:finished' || isOver(host, game)) return false;
  host.lobby.again();
  return true;
}

/** The host ends the phase that is open, if it still is. */
export function cut(host: Player): void {
  const last = lastGameEvent(host);
  if (last?.type === 'game:question') host.lobby.next(last.round, 'round');
  if (last?.type === 'game:answer_result') host.lobby.next(last.round, 'intermission');
}

/** While the lobby waits, the game is to have so many rounds. */
export function configure(host: Player, rounds: number): void {
  if (latestState(host)?.lobby.status === 'waiting') host.lobby.configure({ settings: { rounds } });
}

/** Lets nobody else join, or lets them in again. */
export function turnLock(host: Player): void {
  host.lobby.lock(!latestState(host)?.lobby.locked);
}
