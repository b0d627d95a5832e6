// The host's commands, sent over the lobby's current connection.
import type { LobbyConnection } from '../../client/lobby-connection.ts';
import type { ErrorMessage } from '../../client/types.ts';

export type HostCommands = Pick<LobbyConnection, 'start' | 'next' | 'end' | 'again' | 'kick' | 'lock' | 'configure'>;

/** @param say runs a command with the current connection, if there is one */
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

const STALE_REASONS: ReadonlySet<string> = new Set<ErrorMessage['reason']>([
  'ROUND_CLOSED',
  'NOT_IN_GAME',
  'LOBBY_NOT_FINISHED',
  'LOBBY_NOT_WAITING',
  'PLAYER_NOT_FOUND',
]);

/** @returns whether the clock, a second click or another window has done the same before the command */
export function isStaleCommand({ ref, reason }: ErrorMessage): boolean {
  return ref !== 'game:answer' && STALE_REASONS.has(reason);
}
