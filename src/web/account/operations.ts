// One's own account over better-auth's operations: devices, name, password, second factor, deletion.
// [contract 17]
import { call } from '../api.ts';
import { askAuth, type Provider } from '../auth.ts';

/** A sign-in that is still good. */
export interface Device {
  token: string;
  userAgent: string | null;
  /** When it signed in, as ISO 8601. */
  createdAt: string;
  /** Whether it is the one that asks. */
  isThis: boolean;
}

/** What an authenticator app needs, and codes for the day it is lost. */
export interface SecondFactorSetUp {
  totpURI: string;
  backupCodes: string[];
}

/** How one signs in to this account. */
export interface WaysIn {
  hasPassword: boolean;
  providers: Provider[];
}

type Session = Omit<Device, 'isThis'>;

/** @returns the devices that are signed in: this one first, then the latest */
export async function listDevices(): Promise<Device[]> {
  const [own, sessions] = await Promise.all([
    call<{ session: Session } | null>('GET', '/api/auth/get-session'),
    call<Session[]>('GET', '/api/auth/list-sessions'),
  ]);
  return sessions
    .map((session) => ({ ...session, isThis: session.token === own?.session.token }))
    .sort(
      (one, other) =>
        Number(other.isThis) - Number(one.isThis) || other.createdAt.localeCompare(one.createdAt),
    );
}

export async function findWaysIn(): Promise<WaysIn> {
  const accounts = await call<{ providerId: string }[]>('GET', '/api/auth/list-accounts');
  const ids = accounts.map(({ providerId }) => providerId);
  const isProvider = (id: string): id is Provider => id === 'google' || id === 'github';
  return { hasPassword: ids.includes('credential'), providers: ids.filter(isProvider) };
}

export const signOutDevice = ({ token }: Device) => askAuth('/revoke-session', { token });
export const signOutOthers = () => askAuth('/revoke-other-sessions', {});
/** This device too. */
export const signOutEverywhere = () => askAuth('/revoke-sessions', {});

export const changeName = (name: string) => askAuth('/update-user', { name });

/** Ends all other sessions. */
export const changePassword = (currentPassword: string, newPassword: string) =>
  askAuth('/change-password', { currentPassword, newPassword });

/** @param password left out by who has none: then the sign-in must be younger than 15 minutes */
export const deleteAccount = (password?: string) =>
  askAuth('/delete-user', password === undefined ? {} : { password });

/** In force from the first right code on. */
export const enableSecondFactor = (password: string) =>
  askAuth<SecondFactorSetUp>('/two-factor/enable', { password });

export const disableSecondFactor = (password: string) =>
  askAuth('/two-factor/disable', { password });

/** The old ones work no more. */
export const renewBackupCodes = async (password: string) =>
  (await askAuth<SecondFactorSetUp>('/two-factor/generate-backup-codes', { password })).backupCodes;
