// Ends the subscriptions of users who are no longer members by the lobby's roster. [contract 10, 11]
import type { Roster } from '../lobby/schema.ts';
import type { Listener } from './subscription.ts';

/**
 * @returns a function that returns whether a socket's subscription ends because its user is no member. It
 *   sends `lobby:kicked` to a user whom the host has removed; the connection stays open
 */
export function endForNonMembers(roster: Roster): (listener: Listener) => boolean {
  const members = new Set(roster.players.map(({ userId }) => userId));
  return (listener) => {
    if (members.has(listener.userId)) return false;
    if (roster.kicked?.includes(listener.userId))
      listener.send(JSON.stringify({ type: 'lobby:kicked', code: roster.code }));
    return true;
  };
}
