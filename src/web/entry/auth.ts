// Signs in, up and out by better-auth's HTTP API, and keeps the account whose address is not confirmed yet. [contract
// 6]
import { call } from '../api.ts';
import type { Provider } from '../frame/page-schema.ts';
import { load, save } from '../ui/storage.ts';

export interface User {
  id: string;
  name: string;
  email: string;
  /** Whether a sign-in asks for a code. */
  twoFactorEnabled?: boolean | null;
  /** Whether the user is a guest, who has no account. */
  isAnonymous?: boolean | null;
}

/** Calls one of better-auth's operations. @throws ApiError */
export const callAuth = <T>(path: string, body: object) => call<T>('POST', `/api/auth${path}`, body);

/** @returns the user who is signed in, or null */
export async function getUser(): Promise<User | null> {
  return (await call<{ user: User } | null>('GET', '/api/auth/get-session'))?.user ?? null;
}

/** @param next the path to which the link in the email finally leads */
export function signUp(account: { name: string; email: string; password: string }, next: string): Promise<unknown> {
  const { lang: language } = document.documentElement;
  return callAuth('/sign-up/email', { ...account, language, callbackURL: verifiedUrl(next) });
}

/** @returns the user, or null if the second factor is asked for */
export async function signIn(credentials: { email: string; password: string }, next: string): Promise<User | null> {
  // The service sends an unverified address another email, whose link has this callback.
  const body = { ...credentials, callbackURL: verifiedUrl(next) };
  return (await callAuth<{ user?: User }>('/sign-in/email', body)).user ?? null;
}

/**
 * Sends a code, which completes a sign-in or turns the second factor on.
 * @param isTrusted whether this device is not asked for a code again for 30 days
 */
export async function verifyCode(kind: 'totp' | 'backup-code', code: string, isTrusted = false): Promise<User> {
  const body = { code: code.replace(/\s/g, ''), trustDevice: isTrusted };
  return (await callAuth<{ user: User }>(`/two-factor/verify-${kind}`, body)).user;
}

/**
 * Redirects to a provider, to sign in or to link it to the account that is signed in.
 * @param next the page's path afterwards
 */
export async function redirectToProvider(
  path: '/sign-in/social' | '/link-social',
  provider: Provider,
  next: string,
): Promise<void> {
  const failed = path === '/link-social' && { errorCallbackURL: next };
  const { url } = await callAuth<{ url: string }>(path, { provider, callbackURL: next, ...failed });
  location.assign(url);
}

/** @returns where the link in a confirmation mail leads */
export function verifiedUrl(next: string): string {
  return `/verified?${new URLSearchParams({ next })}`;
}

/** Matches IP addresses. A passkey belongs to a domain. */
const IP_ADDRESS = /^(\d+\.){3}\d+$|^\[/;

/**
 * Decides whether this browser supports passkeys for this page. Passkeys need a secure context, which is https or
 * localhost.
 */
export const HAS_PASSKEYS = isSecureContext && 'PublicKeyCredential' in window && !IP_ADDRESS.test(location.hostname);

interface PendingAccount {
  email: string;
  /** The path to go to after the confirmation. */
  next: string;
}

const KEY = 'pending-account';

let password: string | null = null;

export function savePending(account: PendingAccount, typedPassword: string): void {
  save('tab', KEY, account);
  password = typedPassword;
}

/**
 * The account that waits for the confirmation of its address. The address survives a reload. The password is only in
 * memory, so that the page can sign in by itself after the confirmation.
 * @returns the account; its password is null after a reload
 */
export function pendingAccount(): (PendingAccount & { password: string | null }) | null {
  const account = load<PendingAccount>('tab', KEY);
  return account && { ...account, password };
}

export function clearPending(): void {
  save('tab', KEY, null);
  password = null;
}
