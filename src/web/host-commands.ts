// What a host can do to a lobby and its game, said over the connection of the moment.
import type { LobbyConnection } from '../client/lobby.ts';
import type { ErrorMessage } from '../client/types.ts';

export type HostCommands = Pick<
  LobbyConnection,
  'start' | 'next' | 'end' | 'again' | 'kick' | 'lock' | 'configure'
>;

/** @param say does something with the connection, if there is one */
export function hostCommands(say: (command: (lobby: LobbyConnection) => void) => void) {
  return {
    start: () => say((lobby) => lobby.start()),
    next: (round, phase) => say((lobby) => lobby.next(round, phase)),
    end: () => say((lobby) => lobby.end()),
    again: () => say((lobby) => lobby.again()),
    kick: (userId) => say((lobby) => lobby.kick(userId)),
    lock: (locked) => say((lobby) => lobby.lock(locked)),
    configure: (change) => say((lobby) => lobby.configure(change)),
  } satisfies HostCommands;
}

const OVERTAKEN: ReadonlySet<string> = new Set<ErrorMessage['reason']>([
  'ROUND_CLOSED',
  'NOT_IN_GAME',
  'LOBBY_NOT_FINISHED',
  'LOBBY_NOT_WAITING',
  'PLAYER_NOT_FOUND',
]);

/** @returns whether a host wanted what the clock, a second press or another window has done before */
export function isOvertaken({ ref, reason }: ErrorMessage): boolean {
  return ref !== 'game:answer' && OVERTAKEN.has(reason);
}
