// Changes of the user's account by better-auth's operations: devices, name, password, second factor, deletion.
// [contract 17]
import { callAuth } from '../entry/auth.ts';

/** The key for an authenticator app, and the backup codes. */
export interface SecondFactorSetUp {
  totpURI: string;
  backupCodes: string[];
}

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
