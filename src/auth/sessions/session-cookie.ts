// Reads and signs the session cookie exactly as better-auth does, so that a request can be authenticated without
// better-auth's router.
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * @param header the request's Cookie header
 * @param name the cookie's name
 * @param secret the key of the signature
 * @returns the session's token, or null if there is no valid cookie
 */
export function readSessionToken(header: string | undefined, name: string, secret: string): string | null {
  const value = header && cookieValue(header, name);
  const dot = value?.lastIndexOf('.') ?? -1;
  if (!value || dot < 1) return null;
  const token = value.slice(0, dot);
  const given = Buffer.from(value.slice(dot + 1));
  const expected = Buffer.from(signatureOf(token, secret));
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}

/** @returns the cookie's value for the session with this token */
export function signSessionToken(token: string, secret: string): string {
  return encodeURIComponent(`${token}.${signatureOf(token, secret)}`);
}

/** Reads the first of several cookies with one name, as better-auth's router does. */
function cookieValue(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return decode(pair.slice(equals + 1).trim());
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
