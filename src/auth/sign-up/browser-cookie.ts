// Which browser signed up: a cookie that it shows again when it opens the link in the email, so that
// of several passwords for one address its own is confirmed. [contract 17]
import { createHash, randomBytes } from 'node:crypto';
import type { GenericEndpointContext } from 'better-auth';

const COOKIE_SECONDS = 24 * 3600;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Tells better-auth's endpoints the token, in place of the cookie. */
const TOKEN_HEADER = 'x-sign-up-token';

/** Over https with a prefix that keeps sites beside ours from setting it. */
function nameOf(isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}better-auth.sign_up`;
}

/**
 * Takes the cookie out of a request for better-auth: it signs nobody in, and must not make a request
 * look as if it did, which better-auth refuses without an Origin.
 * @param headers changed
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

/** Marks the browser for another 24 hours. @returns the hash that it is known by */
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

/** @returns the hash that the browser is known by, or null without the cookie */
export function browserOf(context: GenericEndpointContext): string | null {
  const token = context.headers?.get(TOKEN_HEADER);
  return token ? hash(token) : null;
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
