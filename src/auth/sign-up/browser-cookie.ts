// Which browser signed up: a cookie that it shows again when it opens the link in the email, so that
// of several passwords for one address its own is confirmed. [contract 17]
import { createHash, randomBytes } from 'node:crypto';
import type { GenericEndpointContext } from 'better-auth';

export const COOKIE_SECONDS = 24 * 3600;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Over https with a prefix that keeps sites beside ours from setting it. */
function nameOf(isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}better-auth.sign_up`;
}

/** Marks the browser for another 24 hours. @returns the hash that it is known by */
export function markBrowser(context: GenericEndpointContext): string {
  const { secure = false } = context.context.authCookies.sessionToken.attributes;
  const token = readToken(context) ?? randomBytes(32).toString('base64url');
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
  const token = readToken(context);
  return token && hash(token);
}

function readToken(context: GenericEndpointContext): string | null {
  const { secure = false } = context.context.authCookies.sessionToken.attributes;
  const token = context.getCookie(nameOf(secure));
  return token && TOKEN.test(token) ? token : null;
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
