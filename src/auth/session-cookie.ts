// The session cookie's value, read and signed exactly as better-auth does it, so that a request can
// be authenticated without passing through its router.
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * @param header the request's Cookie header
 * @param name the cookie's name
 * @param secret what it is signed with
 * @returns the session's token, or null without a cookie of ours
 */
export function readSessionToken(
  header: string | undefined,
  name: string,
  secret: string,
): string | null {
  const value = header && cookieValue(header, name);
  const dot = value?.lastIndexOf('.') ?? -1;
  if (!value || dot < 1) return null;
  const token = value.slice(0, dot);
  const given = Buffer.from(value.slice(dot + 1));
  const expected = Buffer.from(signatureOf(token, secret));
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}

/** @returns the cookie's value for the session of `token` */
export function signSessionToken(token: string, secret: string): string {
  return encodeURIComponent(`${token}.${signatureOf(token, secret)}`);
}

/** Of several cookies of one name the first counts, as in better-auth's router. */
function cookieValue(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name)
      return decode(pair.slice(equals + 1).trim());
  }
  return undefined;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function signatureOf(token: string, secret: string): string {
  return createHmac('sha256', secret).update(token).digest('base64');
}
