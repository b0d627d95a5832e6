// Ends the subscriptions of users who are no longer members by the lobby's roster. [contract 10, 11]
import type { LogEntry } from '../lobby/history.ts';
import type { Roster } from '../lobby/schema.ts';
import type { Listener } from './subscription.ts';

/** @returns whether a `lobby:state` names all members; that of a compact lobby has numbers instead. [contract 19] */
export function namesMembers({ playerCount }: LogEntry): boolean {
  return playerCount === undefined;
}

/**
 * @returns a function that returns whether a socket's subscription ends because its user is no member. It
 *   sends `lobby:kicked` to a user whom the host has removed; the connection stays open
 */
export function endForNonMembers(roster: Roster): (listener: Listener) => boolean {
  const members = new Set(roster.players.map(({ userId }) => userId));
  return (listener) => {
    if (members.has(listener.userId)) return false;
    tellIfKicked(roster, listener);
    return true;
  };
}

/** @returns whether the host has removed the user, who is told so */
function tellIfKicked({ kicked, code }: Roster, listener: Listener): boolean {
  const isKicked = kicked?.includes(listener.userId) ?? false;
  if (isKicked) listener.send(JSON.stringify({ type: 'lobby:kicked', code }));
  return isKicked;
}

/** @returns the function for the users who are no members according to a `lobby:state`, as far as it names them */
export function endForDeparted(state: LogEntry): (listener: Listener) => boolean {
  const roster = state.lobby as Roster;
  if (namesMembers(state)) return endForNonMembers(roster);
  return (listener) => tellIfKicked(roster, listener);
}

/** @returns a function that returns whether a user is a member according to a `lobby:state`, as far as it says */
export function membersOf(state: LogEntry): (userId: string) => boolean {
  const { players, kicked } = state.lobby as Roster;
  if (!namesMembers(state)) return (userId) => !kicked?.includes(userId);
  const members = new Set(players.map(({ userId }) => userId));
  return (userId) => members.has(userId);
}
