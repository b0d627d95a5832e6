// The user's account by better-auth's operations: devices, name, password, second factor, deletion.
// [contract 17]
import { call } from '../api.ts';
import { callAuth } from '../entry/auth.ts';
import { PROVIDERS, type Provider } from '../frame/page-schema.ts';

/** A device with a session. */
export interface Device {
  token: string;
  userAgent: string | null;
  /** When it signed in, as ISO 8601. */
  createdAt: string;
  /** Whether it is the current one. */
  isThis: boolean;
}

/** The key for an authenticator app, and the backup codes. */
export interface SecondFactorSetUp {
  totpURI: string;
  backupCodes: string[];
}

/** The sign-in methods of the account, apart from passkeys. */
export interface SignInMethods {
  hasPassword: boolean;
  providers: Provider[];
}

type SessionRecord = Omit<Device, 'isThis'>;

/** @returns the devices that are signed in: this one first, then the newest */
export async function listDevices(): Promise<Device[]> {
  const [own, sessions] = await Promise.all([
    call<{ session: SessionRecord } | null>('GET', '/api/auth/get-session'),
    call<SessionRecord[]>('GET', '/api/auth/list-sessions'),
  ]);
  return sessions
    .map((session) => ({ ...session, isThis: session.token === own?.session.token }))
    .sort((one, other) => Number(other.isThis) - Number(one.isThis) || other.createdAt.localeCompare(one.createdAt));
}

export async function getSignInMethods(): Promise<SignInMethods> {
  const accounts = await call<{ providerId: string }[]>('GET', '/api/auth/list-accounts');
  const ids = accounts.map(({ providerId }) => providerId);
  const providers = PROVIDERS.filter((provider) => ids.includes(provider));
  return { hasPassword: ids.includes('credential'), providers };
}

export const signOutDevice = ({ token }: Device) => callAuth('/revoke-session', { token });
export const signOutOthers = () => callAuth('/revoke-other-sessions', {});
/** Signs out this device, too. */
export const signOutEverywhere = () => callAuth('/revoke-sessions', {});

export const changeName = (name: string) => callAuth('/update-user', { name });

/** Changes the password, which ends all other sessions. */
export const changePassword = (currentPassword: string, newPassword: string) =>
  callAuth('/change-password', { currentPassword, newPassword });

/** @param password absent if the account has none; then the sign-in must be less than 15 minutes old */
export const deleteAccount = (password?: string) =>
  callAuth('/delete-user', password === undefined ? {} : { password });

/** Prepares the second factor. The first right code turns it on. */
export const enableSecondFactor = (password: string) => callAuth<SecondFactorSetUp>('/two-factor/enable', { password });

export const disableSecondFactor = (password: string) => callAuth('/two-factor/disable', { password });

/** Replaces the backup codes; the old ones become invalid. */
export const renewBackupCodes = async (password: string) =>
  (await callAuth<SecondFactorSetUp>('/two-factor/generate-backup-codes', { password })).backupCodes;
