// Creates a guest, a better-auth anonymous user with a session, and names one who comes without a name, so that one press
// is enough to play. [contract 11, 22]
import type { FastifyRequest } from 'fastify';
import type { Auth } from '../../auth/auth.ts';
import { GUEST_NAME_HEADER } from '../../auth/guests.ts';
import { CLIENT_ADDRESS_HEADER } from '../../auth/plugins/auth-hooks.ts';
import { takenNames } from '../../lobby/lookup-store.ts';
import { friendlyName } from '../../names/friendly-name.ts';
import type { Services } from '../../services.ts';
import type { Guest } from '../schema.ts';
import type { Admission } from './invitations.ts';

/**
 * @param guest.isInvited whether the guest came by a code, and so stores no lists
 * @returns the guest, and the cookies that sign the guest in
 */
export async function createGuest(
  { auth, db }: Pick<Services, 'auth' | 'db'>,
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

/** How many names are drawn at once. Even in a lobby of a thousand, one of them is free but for one in a billion. */
const CANDIDATES = 16;

/** @param invitation where the guest comes to; the names of a lobby are avoided */
export async function nameForGuest(
  { db, random }: Pick<Services, 'db' | 'random'>,
  admission: Admission | undefined,
  acceptLanguage: string | undefined,
): Promise<string> {
  const draw = () => friendlyName(acceptLanguage, random);
  if (admission?.invitation.kind !== 'lobby') return draw();
  const candidates = Array.from({ length: CANDIDATES }, draw);
  const taken = await takenNames(db, admission.id, candidates);
  return candidates.find((name) => !taken.has(name)) ?? draw();
}
