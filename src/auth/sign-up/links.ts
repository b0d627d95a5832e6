// The links in confirmation mails: their tokens, the pages that they lead to, and the cookie that recognises the browser
// of the sign-up when it opens the link. [contract 17]
import { createHash } from 'node:crypto';
import type { GenericEndpointContext } from 'better-auth';
import { verifyJWT } from 'better-auth/crypto';
import { z } from 'zod';
import type { Database } from '../../platform/postgres/postgres.ts';
import { randomText } from '../../random-text.ts';

/** The paths under /api/auth that answer a link in a browser that has not signed up. */
export const CONFIRM_PATH = '/verify-email/confirm';
export const CHOOSE_PATH = '/verify-email/choose';
export const FORM_PATH = '/verify-email/form';

const Payload = z.object({
  email: z.email(),
  /** The id of the account that it was sent for. */
  userId: z.uuid(),
  /** The id of the sign-up that it confirms; a link that was sent again confirms any sign-up of the address. */
  signUpId: z.uuid().optional(),
  /** The hash of the browser that brought the address from a provider which has not verified it. */
  askedBy: z.string().optional(),
  exp: z.number(),
});

export type Link = NonNullable<Awaited<ReturnType<typeof readLink>>>;

/** The longest token that is read, UTF-16 units; the address in it has at most 320. */
export const MAX_TOKEN_LENGTH = 2000;

/** @returns the link, or null if the token is forged or has expired */
export async function readLink(token: string, secret: string) {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  const { data } = Payload.safeParse(await verifyJWT(token, secret));
  if (!data) return null;
  const { exp, ...link } = data;
  // The database knows the link by its hash.
  return { ...link, hash: hash(token), expiresAt: new Date(exp * 1000) };
}

const hash = (token: string) => createHash('sha256').update(token).digest('hex');
const identifierOf = (token: string) => `leads-to:${hash(token)}`;

/** @param leadsTo an address that has passed better-auth's origin check; without one nothing is stored */
export async function keepWhereItLeads(db: Database, token: string, leadsTo: string | undefined, expiresAt: Date) {
  if (leadsTo) await db.verification.create({ data: { identifier: identifierOf(token), value: leadsTo, expiresAt } });
}

/** @returns the page, or undefined if the request for the email named none */
export async function whereItLeads({ context }: GenericEndpointContext, token: string): Promise<string | undefined> {
  return (await context.internalAdapter.findVerificationValue(identifierOf(token)))?.value;
}

/** @param address a full address, or a path of the service's page */
export function withQuery(address: string, parameters: Record<string, string>): string {
  const [bare = '', fragment] = address.split('#');
  const query = new URLSearchParams(parameters);
  return `${bare}${bare.includes('?') ? '&' : '?'}${query}${fragment === undefined ? '' : `#${fragment}`}`;
}

const COOKIE_SECONDS = 24 * 3600;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** The header that passes the token to better-auth's endpoints instead of the cookie. */
const TOKEN_HEADER = 'x-sign-up-token';
/** @returns the cookie's name, which over https has the prefix that keeps sibling domains from setting it */
const nameOf = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}better-auth.sign_up`;

/**
 * Moves the cookie of a request, which authenticates nobody, into a header, since better-auth refuses requests with
 * cookies but without an Origin.
 */
export function setApartBrowserToken(headers: Headers, isSecure: boolean): void {
  headers.delete(TOKEN_HEADER);
  const prefix = `${nameOf(isSecure)}=`;
  const cookies = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const token = cookies.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
  if (token === undefined) return;
  const others = cookies.filter((pair) => pair !== '' && !pair.startsWith(prefix));
  if (others.length > 0) headers.set('cookie', others.join('; '));
  else headers.delete('cookie');
  if (TOKEN.test(token)) headers.set(TOKEN_HEADER, token);
}

/** Sets the cookie for another 24 hours. @returns the browser's hash */
export function markBrowser(context: GenericEndpointContext): string {
  const { secure = false } = context.context.authCookies.sessionToken.attributes;
  const token = context.headers?.get(TOKEN_HEADER) ?? randomText(32);
  const attributes = { maxAge: COOKIE_SECONDS, path: '/', httpOnly: true, secure, sameSite: 'lax' } as const;
  context.setCookie(nameOf(secure), token, attributes);
  return hash(token);
}

/** @returns the browser's hash, or null without the cookie; `headers` are those after `setApartBrowserToken` */
export function browserHashOf(headers: Headers | undefined): string | null {
  const token = headers?.get(TOKEN_HEADER);
  return token ? hash(token) : null;
}
