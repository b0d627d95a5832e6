// Asks what the link of a stranger invites to, and whether it still does. [contract 22]
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import type { Invitation } from '../../client/types.ts';
import { client } from '../api.ts';
import { routeOf } from '../frame/routes.ts';

export interface InvitationLink {
  kind: Invitation['kind'];
  /** The code from the address; it may be mistyped. */
  code: string;
}

/** The texts for a code with which nobody can enter now. The service does not tell strangers why. */
export const DEAD = { lobby: 'NOT_JOINABLE', assignment: 'NO_OPEN_HOMEWORK' } as const;

/** @returns what a path invites to; null for a path that is no invitation */
export function invitationOf(path: string): InvitationLink | null {
  const route = routeOf(path);
  if (route.name !== 'lobby' && route.name !== 'assignment') return null;
  return { kind: route.name, code: route.code };
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
