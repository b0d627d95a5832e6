// Accounts over better-auth's own HTTP API. [contract 6]
import { call } from './api.ts';

export interface User {
  id: string;
  name: string;
  email: string;
}

export type Provider = 'google' | 'github';

const at = <T>(path: string, body: object) => call<T>('POST', `/api/auth${path}`, body);

/** @returns who is signed in, or null */
export async function getUser(): Promise<User | null> {
  return (await call<{ user: User } | null>('GET', '/api/auth/get-session'))?.user ?? null;
}

/** @param next where to go in the end; through the link in the email */
export function signUp(
  account: { name: string; email: string; password: string },
  next: string,
): Promise<unknown> {
  return at('/sign-up/email', { ...account, callbackURL: verifiedUrl(next) });
}

export function signIn(
  credentials: { email: string; password: string },
  next: string,
): Promise<{ user: User }> {
  // The callback is for the email that goes out once more to an address not verified yet.
  return at('/sign-in/email', { ...credentials, callbackURL: verifiedUrl(next) });
}

/** Leaves the page for the provider's. */
export async function signInWith(provider: Provider, next: string): Promise<void> {
  const { url } = await at<{ url: string }>('/sign-in/social', { provider, callbackURL: next });
  location.assign(url);
}

export function signOut(): Promise<unknown> {
  return at('/sign-out', {});
}

export function sendVerification(email: string, next: string): Promise<unknown> {
  return at('/send-verification-email', { email, callbackURL: verifiedUrl(next) });
}

export function requestPasswordReset(email: string): Promise<unknown> {
  return at('/request-password-reset', { email, redirectTo: '/reset-password' });
}

export function resetPassword(newPassword: string, token: string): Promise<unknown> {
  return at('/reset-password', { newPassword, token });
}

function verifiedUrl(next: string): string {
  return `/verified?${new URLSearchParams({ next })}`;
}
