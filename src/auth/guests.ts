// Guests: users with a name and a session, who can't sign in again once the session is over. At their first sign-in
// with an account, that account gets what they have played. [contract 11]
import type { BetterAuthPlugin, User } from 'better-auth';
import { anonymous } from 'better-auth/plugins/anonymous';
import { type HookContext, hook, isHalfWay, refusal, sessionOf } from './plugins/auth-hooks.ts';
import { PASSKEY_ADDITIONS } from './plugins/passkeys.ts';

/** Operations that would give a guest a way to sign in again, which guests are refused. */
const FOR_ACCOUNTS = ['/link-social', '/two-factor/enable', ...PASSKEY_ADDITIONS];
/** better-auth's own endpoints for guests are closed to clients, since they check neither names nor limits. */
export const OWN_WAYS = ['/sign-in/anonymous', '/delete-anonymous-user'];
/** Gives the name to better-auth, encoded as a part of an address. */
export const GUEST_NAME_HEADER = 'x-guest-name';

/**
 * The guest and the account that the guest signs in with, while the second factor is awaited. The cookie of the
 * guest's session is gone by then. The account is part of it, since another user of the browser may sign in next.
 */
const GUEST_COOKIE = 'guest';
const GUEST_COOKIE_SECONDS = 3600;

/** @returns plugins that read the guest's session, so that they have to run before those that end it */
export function guests(handOver: (guestId: string, accountId: string) => Promise<void>) {
  // The hooks of better-auth's plugin would only delete or link the guest, which `link` and the worker do. They
  // also delete the cookie of a new session where the request has the cookie of a session that has ended.
  const { hooks: _, ...nameless } = anonymous({
    generateName: ({ headers }) => decodeURIComponent(headers?.get(GUEST_NAME_HEADER) ?? ''),
  });

  async function link(hookContext: HookContext): Promise<void> {
    const { internalAdapter, newSession, returned } = hookContext.context;
    if (isHalfWay(returned)) return rememberGuest(hookContext);
    const account = newSession?.user;
    if (!account || account.isAnonymous) return;
    const guest = (await guestOfSession(hookContext)) ?? (await guestOfCookie(hookContext, account.id));
    if (!guest?.isAnonymous) return;
    await handOver(guest.id, account.id);
    for (const { token } of await internalAdapter.listSessions(guest.id)) await internalAdapter.deleteSession(token);
    const { name, attributes } = cookieOf(hookContext);
    if (hookContext.getCookie(name)) hookContext.setCookie(name, '', { ...attributes, maxAge: 0 });
  }

  const hooks = { before: [hook(needAccount, ...FOR_ACCOUNTS)], after: [hook(link)] };
  return [nameless, { id: 'guest-rules', hooks } satisfies BetterAuthPlugin] as const;
}

async function needAccount(hookContext: HookContext): Promise<void> {
  if (!(await sessionOf(hookContext))?.user.isAnonymous) return;
  const message = 'Guests have no account: sign up or sign in, and what you have played comes along.';
  throw refusal('FORBIDDEN', 'ACCOUNT_REQUIRED', message);
}

async function guestOfSession(hookContext: HookContext) {
  const { authCookies, internalAdapter, secret } = hookContext.context;
  const token = await hookContext.getSignedCookie(authCookies.sessionToken.name, secret);
  const user = token ? (await internalAdapter.findSession(token))?.user : null;
  return user?.isAnonymous ? user : null;
}

async function guestOfCookie(hookContext: HookContext, signedInId: string) {
  const { internalAdapter, secret } = hookContext.context;
  const cookie = await hookContext.getSignedCookie(cookieOf(hookContext).name, secret);
  const [id, accountId] = (cookie || '').split(':');
  if (!id || accountId !== signedInId) return null;
  return (await internalAdapter.findUserById(id)) as (User & { isAnonymous?: boolean | null }) | null;
}

/** Remembers the guest after a right password; only that way of signing in asks for a second factor. */
async function rememberGuest(hookContext: HookContext): Promise<void> {
  const { internalAdapter, secret } = hookContext.context;
  const guest = await guestOfSession(hookContext);
  const found = guest && (await internalAdapter.findUserByEmail(hookContext.body.email.toLowerCase()));
  if (!found) return;
  const { name, attributes } = cookieOf(hookContext);
  await hookContext.setSignedCookie(name, `${guest.id}:${found.user.id}`, secret, attributes);
}

const cookieOf = ({ context }: HookContext) => context.createAuthCookie(GUEST_COOKIE, { maxAge: GUEST_COOKIE_SECONDS });
