// Asks what the link of a stranger invites to, and whether it still does. [contract 22]
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import type { Invitation } from '../../client/types.ts';
import { client } from '../api.ts';
import { routeOf } from '../frame/routes.ts';

export interface InvitationLink {
  kind: Invitation['kind'];
  /** The code from the address, which may be mistyped; of a list its id. */
  code: string;
  /** Whether it is a further screen of a lobby, for which only its members need to sign in. */
  isForMembers: boolean;
}

/** The texts for a code with which nobody can enter now. The service does not tell strangers why. */
export const DEAD = { lobby: 'NOT_JOINABLE', assignment: 'NO_OPEN_HOMEWORK', list: 'LIST_NOT_FOUND' } as const;

/** @returns what a path invites to; null for a path that is no invitation */
export function invitationOf(path: string): InvitationLink | null {
  const route = routeOf(path);
  switch (route.name) {
    case 'lobby':
    case 'assignment':
      return { kind: route.name, code: route.code, isForMembers: false };
    case 'screen':
    case 'remote':
      return { kind: 'lobby', code: route.code, isForMembers: true };
    case 'list':
      return { kind: 'list', code: route.listId, isForMembers: false };
    default:
      return null;
  }
}

/**
 * @param link null if there is no link to ask about
 * @returns whether nobody can enter by the link now; undefined until the service has replied. If the service can't say,
 *   the link counts as good, since the service checks it again
 */
export function useIsDead(link: InvitationLink | null): boolean | undefined {
  const [isDead, setDead] = useState(link ? undefined : false);
  useEffect(() => {
    if (!link) return;
    client.getInvitation(link.code).then(
      ({ kind }) => setDead(kind !== link.kind),
      (error: unknown) => setDead(error instanceof ApiError && error.code === 'LOBBY_NOT_FOUND'),
    );
  }, [link?.code]);
  return isDead;
}
