// Decides who may use the console. The token is the password of HTTP's Basic authentication, for which browsers and curl
// ask by themselves. The user name is who the operator claims to be, for the audit log. A browser does not send the
// token to another port of localhost, as it would send a cookie. [contract 7]
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The longest name of an operator, in UTF-16 units; more of it is cut off. */
const NAME_MAX = 50;

export interface Refusal {
  status: number;
  text: string;
  headers?: Record<string, string>;
}

/** @returns why a request is refused; undefined where it is let in */
export function refusalOf(request: IncomingMessage, token: string): Refusal | undefined {
  if (!isSame(credentialsOf(request).token, token))
    return {
      status: 401,
      text: 'The password is the CONSOLE_TOKEN of the workers; the user name is your own, for the audit log.',
      headers: { 'www-authenticate': 'Basic realm="Console", charset="UTF-8"' },
    };
  // A browser sends the token also for a form that a page of another origin has.
  if (!['GET', 'HEAD'].includes(request.method ?? '') && !isSameOrigin(request))
    return { status: 403, text: 'Only pages of the console can change something.' };
  return undefined;
}

/** @returns the name that the operator has given; `unnamed` without one */
export function operatorOf(request: IncomingMessage): string {
  return credentialsOf(request).name.slice(0, NAME_MAX) || 'unnamed';
}

function credentialsOf({ headers }: IncomingMessage): { name: string; token: string } {
  const [, encoded = ''] = /^Basic ([\w+/=-]+)$/i.exec(headers.authorization ?? '') ?? [];
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return { name: text.slice(0, Math.max(0, colon)), token: text.slice(colon + 1) };
}

/** Compares in a time that depends neither on the length nor on the content. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function isSameOrigin({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
