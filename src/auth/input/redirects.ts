// Redirects of the browser: to an address that a client has named, and back from a provider.
import type { BetterAuthPlugin } from 'better-auth';
import { type HookContext, hook } from '../plugins/auth-hooks.ts';

/** The parameters of all endpoints that name a redirect address. */
const ADDRESSES = ['callbackURL', 'redirectTo', 'errorCallbackURL', 'newUserCallbackURL'];

/** Characters that an address must encode, since a `location` header can hold only Latin-1. */
const UNENCODED = /[^\x21-\x7e]+/g;

/** better-auth's cookie that binds the state of a social sign-in to the browser that began it. */
const STATE_COOKIE = 'state';

/** @param publicUrl the beginning of all the service's addresses */
export function redirects(publicUrl: string): BetterAuthPlugin {
  /** Refuses a callback without the state's cookie. better-auth would look the state up first, and log a warning. */
  async function refuseForeignState(hookContext: HookContext): Promise<void> {
    const { context, method, query } = hookContext;
    // A provider's POST is redirected to a GET; browsers don't send the cookie with such a POST.
    if (method !== 'GET') return;
    const { name } = context.createAuthCookie(STATE_COOKIE);
    const state = await hookContext.getSignedCookie(name, context.secret);
    if (state && state === query?.state) return;
    const error = query?.state ? 'state_mismatch' : 'state_not_found';
    throw hookContext.redirect(`${publicUrl}/?error=${error}`);
  }

  return { id: 'redirects', hooks: { before: [hook(encodeAddresses), hook(refuseForeignState, '/callback/:id')] } };
}

/** Encodes redirect addresses as a browser would, before better-auth checks them. */
async function encodeAddresses({ body, query }: HookContext): Promise<void> {
  for (const given of [body, query])
    for (const name of ADDRESSES)
      if (typeof given?.[name] === 'string')
        given[name] = given[name].replace(UNENCODED, (text: string) => encodeURIComponent(text.toWellFormed()));
}
