// Accounts over better-auth's own HTTP API. [contract 6]
import { call } from './api.ts';

export interface User {
  id: string;
  name: string;
  email: string;
  /** Whether a code is asked for at sign-in. */
  twoFactorEnabled?: boolean | null;
  /** Whether it is a guest, who has a name alone. */
  isAnonymous?: boolean | null;
}

export type Provider = 'google' | 'github';

/** Asks one of better-auth's operations. @throws ApiError */
export const askAuth = <T>(path: string, body: object) => call<T>('POST', `/api/auth${path}`, body);

/** @returns who is signed in, or null */
export async function getUser(): Promise<User | null> {
  return (await call<{ user: User } | null>('GET', '/api/auth/get-session'))?.user ?? null;
}

/** @param next where to go in the end; through the link in the email */
export function signUp(
  account: { name: string; email: string; password: string },
  next: string,
): Promise<unknown> {
  return askAuth('/sign-up/email', { ...account, callbackURL: verifiedUrl(next) });
}

/** @returns who is signed in now, or null when a code is to be given first */
export async function signIn(
  credentials: { email: string; password: string },
  next: string,
): Promise<User | null> {
  // The callback is for the email that goes out once more to an address not verified yet.
  const asked = { ...credentials, callbackURL: verifiedUrl(next) };
  return (await askAuth<{ user?: User }>('/sign-in/email', asked)).user ?? null;
}

/**
 * Gives a code: to finish a sign-in, or to put the second factor in force.
 * @param isTrusted whether this device is not to be asked again for 30 days
 */
export async function verifyCode(
  kind: 'totp' | 'backup-code',
  code: string,
  isTrusted = false,
): Promise<User> {
  const given = { code: code.replace(/\s/g, ''), trustDevice: isTrusted };
  return (await askAuth<{ user: User }>(`/two-factor/verify-${kind}`, given)).user;
}

/** Leaves the page for the provider's. */
export async function signInWith(provider: Provider, next: string): Promise<void> {
  const { url } = await askAuth<{ url: string }>('/sign-in/social', {
    provider,
    callbackURL: next,
  });
  location.assign(url);
}

export function signOut(): Promise<unknown> {
  return askAuth('/sign-out', {});
}

export function sendVerification(email: string, next: string): Promise<unknown> {
  return askAuth('/send-verification-email', { email, callbackURL: verifiedUrl(next) });
}

export function requestPasswordReset(email: string): Promise<unknown> {
  return askAuth('/request-password-reset', { email, redirectTo: '/reset-password' });
}

export function resetPassword(newPassword: string, token: string): Promise<unknown> {
  return askAuth('/reset-password', { newPassword, token });
}

function verifiedUrl(next: string): string {
  return `/verified?${new URLSearchParams({ next })}`;
}
