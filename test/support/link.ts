// The links of the account emails, as a person follows them.
import type { Answer, HttpClient } from './http-client.ts';

/** @returns the token with which the page that a link leads to sets a password, or null */
export function tokenIn(opened: Answer): string | null {
  const location = opened.headers.get('location') ?? '';
  return new URL(location, 'http://page').searchParams.get('token');
}

/** Chooses a password as the page does on which a link has ended. */
export function choosePassword(by: HttpClient, opened: Answer, newPassword: string) {
  return by.post('/api/auth/reset-password', { newPassword, token: tokenIn(opened) });
}
