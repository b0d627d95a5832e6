// Guests: users with a name and a session, and no way to come back without it. Their first sign-in
// with an account hands to it what they have played; until then they are users like any. [contract 11]
import { APIError, type BetterAuthPlugin } from 'better-auth';
import { getSessionFromCtx } from 'better-auth/api';
import { anonymous } from 'better-auth/plugins';
import { type Asked, hook, isHalfWay } from '../around.ts';
import { PASSKEY_ADDITIONS } from '../passkeys.ts';

/** What would be a way back in: a sign-in with an account is that. */
const FOR_ACCOUNTS = ['/link-social', '/two-factor/enable', ...PASSKEY_ADDITIONS];

/** The library's own ways, of which ours make use: they know neither names nor limits. */
export const OWN_WAYS = ['/sign-in/anonymous', '/delete-anonymous-user'];

/** Says the name to the library, written as a part of an address. */
export const GUEST_NAME_HEADER = 'x-guest-name';

/** Who the guest was, while a second factor is asked for: the session's cookie is gone then. */
const GUEST_COOKIE = 'guest';
const GUEST_COOKIE_SECONDS = 3600;

/** A user who is being signed in, or comes with a session. */
interface MaybeGuest {
  id: string;
  isAnonymous?: boolean | null;
}

/** @param handOver gives an account what a guest has; it can be called again */
export function guests(handOver: (guestId: string, accountId: string) => Promise<void>) {
  const nameless = anonymous({
    generateName: ({ headers }) => decodeURIComponent(headers?.get(GUEST_NAME_HEADER) ?? ''),
    // By the worker: a game that still runs keeps its player.
    disableDeleteAnonymousUser: true,
  });
  return [nameless, guestRules(handOver)] as const;
}

/** Looks at the session with which a guest came, and so stands before those who end it. */
function guestRules(handOver: (guestId: string, accountId: string) => Promise<void>) {
  async function link(asked: Asked): Promise<void> {
    const { internalAdapter, newSession, returned } = asked.context;
    const account = newSession?.user as MaybeGuest | undefined;
    const isLinking = account && !account.isAnonymous;
    if (!isLinking && !isHalfWay(returned)) return;
    const guest = (await guestOfSession(asked)) ?? (await guestOfCookie(asked));
    if (!guest) return;
    if (!isLinking) return rememberGuest(asked, guest.id);
    await handOver(guest.id, account.id);
    for (const { token } of await internalAdapter.listSessions(guest.id))
      await internalAdapter.deleteSession(token);
    forgetGuest(asked);
  }

  return {
    id: 'guest-rules',
    hooks: { before: [hook(needAccount, ...FOR_ACCOUNTS)], after: [hook(link)] },
  } satisfies BetterAuthPlugin;
}

async function needAccount(asked: Asked): Promise<void> {
  const found = await getSessionFromCtx(asked, { disableRefresh: true });
  if (!(found?.user as MaybeGuest | undefined)?.isAnonymous) return;
  throw new APIError('FORBIDDEN', {
    code: 'ACCOUNT_REQUIRED',
    message: 'Guests have no account: sign up or sign in, and what you have played comes along.',
  });
}

async function guestOfSession(asked: Asked): Promise<MaybeGuest | null> {
  const { authCookies, internalAdapter, secret } = asked.context;
  const token = await asked.getSignedCookie(authCookies.sessionToken.name, secret);
  const found = token ? await internalAdapter.findSession(token) : null;
  return asGuest(found?.user);
}

async function guestOfCookie(asked: Asked): Promise<MaybeGuest | null> {
  const { context } = asked;
  const id = await asked.getSignedCookie(cookieOf(asked).name, context.secret);
  return id ? asGuest(await context.internalAdapter.findUserById(id)) : null;
}

function asGuest(user: MaybeGuest | null | undefined): MaybeGuest | null {
  return user?.isAnonymous ? user : null;
}

async function rememberGuest(asked: Asked, guestId: string): Promise<void> {
  const { name, attributes } = cookieOf(asked);
  await asked.setSignedCookie(name, guestId, asked.context.secret, attributes);
}

function forgetGuest(asked: Asked): void {
  const { name, attributes } = cookieOf(asked);
  if (asked.getCookie(name)) asked.setCookie(name, '', { ...attributes, maxAge: 0 });
}

function cookieOf({ context }: Asked) {
  return context.createAuthCookie(GUEST_COOKIE, { maxAge: GUEST_COOKIE_SECONDS });
}
