// Guests: users with a name and a session, who can't sign in again once the session is over. At their first sign-in
// with an account, that account gets what they have played. Otherwise they are users like any other. [contract 11]
import type { BetterAuthPlugin } from 'better-auth';
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

interface MaybeGuest {
  id: string;
  isAnonymous?: boolean | null;
}

/** @param handOver moves a guest's data to an account; it is idempotent */
export function guests(handOver: (guestId: string, accountId: string) => Promise<void>) {
  // The hooks of better-auth's plugin would only delete or link the guest, which `guestRules` and the worker do. They
  // also delete the cookie of a new session where the request has the cookie of a session that has ended.
  const { hooks: _, ...nameless } = anonymous({
    generateName: ({ headers }) => decodeURIComponent(headers?.get(GUEST_NAME_HEADER) ?? ''),
  });
  return [nameless, guestRules(handOver)] as const;
}

/** Reads the guest's session, so that it has to run before the hooks that end it. */
function guestRules(handOver: (guestId: string, accountId: string) => Promise<void>) {
  async function link(hookContext: HookContext): Promise<void> {
    const { internalAdapter, newSession, returned } = hookContext.context;
    const account = newSession?.user as MaybeGuest | undefined;
    if (isHalfWay(returned)) return rememberGuest(hookContext);
    if (!account || account.isAnonymous) return;
    const guest = (await guestOfSession(hookContext)) ?? (await guestOfCookie(hookContext, account.id));
    if (!guest) return;
    await handOver(guest.id, account.id);
    for (const { token } of await internalAdapter.listSessions(guest.id)) await internalAdapter.deleteSession(token);
    forgetGuest(hookContext);
  }

  return {
    id: 'guest-rules',
    hooks: { before: [hook(needAccount, ...FOR_ACCOUNTS)], after: [hook(link)] },
  } satisfies BetterAuthPlugin;
}

async function needAccount(hookContext: HookContext): Promise<void> {
  const found = await sessionOf(hookContext);
  if (!(found?.user as MaybeGuest | undefined)?.isAnonymous) return;
  throw refusal(
    'FORBIDDEN',
    'ACCOUNT_REQUIRED',
    'Guests have no account: sign up or sign in, and what you have played comes along.',
  );
}

async function guestOfSession(hookContext: HookContext): Promise<MaybeGuest | null> {
  const { authCookies, internalAdapter, secret } = hookContext.context;
  const token = await hookContext.getSignedCookie(authCookies.sessionToken.name, secret);
  const found = token ? await internalAdapter.findSession(token) : null;
  return asGuest(found?.user);
}

async function guestOfCookie(hookContext: HookContext, signedInId: string): Promise<MaybeGuest | null> {
  const { context } = hookContext;
  const cookie = await hookContext.getSignedCookie(cookieOf(hookContext).name, context.secret);
  const [id, accountId] = (cookie || '').split(':');
  return id && accountId === signedInId ? asGuest(await context.internalAdapter.findUserById(id)) : null;
}

function asGuest(user: MaybeGuest | null | undefined): MaybeGuest | null {
  return user?.isAnonymous ? user : null;
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

function forgetGuest(hookContext: HookContext): void {
  const { name, attributes } = cookieOf(hookContext);
  if (hookContext.getCookie(name)) hookContext.setCookie(name, '', { ...attributes, maxAge: 0 });
}

function cookieOf({ context }: HookContext) {
  return context.createAuthCookie(GUEST_COOKIE, { maxAge: GUEST_COOKIE_SECONDS });
}
