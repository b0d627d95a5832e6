// A cookie that recognises the browser of a sign-up when it opens the link of the email. If several passwords were
// given for one address, the link then confirms this browser's one. [contract 17]
import { createHash, randomBytes } from 'node:crypto';
import type { GenericEndpointContext } from 'better-auth';

const COOKIE_SECONDS = 24 * 3600;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The header that passes the token to better-auth's endpoints instead of the cookie. */
const TOKEN_HEADER = 'x-sign-up-token';

/** The cookie's name. Over https it has the prefix that keeps sibling domains from setting it. */
function nameOf(isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}better-auth.sign_up`;
}

/**
 * Removes the cookie from a request to better-auth, which refuses requests with cookies but without an Origin. The
 * cookie authenticates nobody.
 * @param headers is changed
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
  const token = context.headers?.get(TOKEN_HEADER) ?? randomBytes(32).toString('base64url');
  context.setCookie(nameOf(secure), token, {
    maxAge: COOKIE_SECONDS,
    path: '/',
    httpOnly: true,
    secure,
    sameSite: 'lax',
  });
  return hash(token);
}

/**
 * @param headers a request's headers after `setApartBrowserToken`
 * @returns the browser's hash, or null without the cookie
 */
export function browserHashOf(headers: Headers | undefined): string | null {
  const token = headers?.get(TOKEN_HEADER);
  return token ? hash(token) : null;
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
