// Follows the links of account emails.
import type { HttpClient, HttpResponse } from './http-client.ts';

/** @returns the token in the redirect of a password link, or null */
export function tokenIn(opened: HttpResponse): string | null {
  const location = opened.headers.get('location') ?? '';
  return new URL(location, 'http://page').searchParams.get('token');
}

/** Sets a password as the page does to which the link has redirected. */
export function choosePassword(by: HttpClient, opened: HttpResponse, newPassword: string) {
  return by.post('/api/auth/reset-password', { newPassword, token: tokenIn(opened) });
}
