// Creates a guest, a better-auth anonymous user with a session. [contract 11]
import type { FastifyRequest } from 'fastify';
import type { Auth } from '../../auth/auth.ts';
import { GUEST_NAME_HEADER } from '../../auth/guests.ts';
import { CLIENT_ADDRESS_HEADER } from '../../auth/plugins/auth-hooks.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { Guest } from './schema.ts';

/**
 * @param guest.isInvited whether the guest came by a code, and so stores no lists
 * @returns the guest, and the cookies that sign the guest in
 */
export async function createGuest(
  { auth, db }: { auth: Auth; db: Database },
  request: FastifyRequest,
  guest: { name: string; isInvited: boolean },
): Promise<Guest & { cookies: string[] }> {
  const { headers, response } = await signIn(auth, request, guest.name);
  const { id, name } = response.user;
  // Nobody has the session's cookie before the reply, so that the guest has stored nothing yet.
  if (guest.isInvited) await db.user.update({ where: { id }, data: { invited: true } });
  // Every sign-in ends the session that the browser had. [contract 17]
  const { cookie } = request.headers;
  if (cookie) await auth.api.signOut({ headers: new Headers({ cookie }) });
  return { user: { id, name, isGuest: true }, cookies: headers.getSetCookie() };
}

/** Removes the request's session cookie, so that a signed-in caller gets a new guest as well. */
function signIn(auth: Auth, { clientAddress, headers }: FastifyRequest, name: string) {
  return auth.api.signInAnonymous({
    headers: new Headers({
      [GUEST_NAME_HEADER]: encodeURIComponent(name),
      [CLIENT_ADDRESS_HEADER]: clientAddress,
      'user-agent': headers['user-agent'] ?? '',
    }),
    returnHeaders: true,
  });
}
