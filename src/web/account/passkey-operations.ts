// Passkeys, between the service and the device that keeps them. [contract 17]
import {
  type PublicKeyCredentialCreationOptionsJSON as CreationOptions,
  type PublicKeyCredentialRequestOptionsJSON as RequestOptions,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { ApiError } from '../../client/api-error.ts';
import { call } from '../api.ts';
import { askAuth, type User } from '../auth.ts';

export interface Passkey {
  id: string;
  name: string | null;
  /** As ISO 8601. */
  createdAt: string;
}

/** @returns one's passkeys, the latest first */
export async function listPasskeys(): Promise<Passkey[]> {
  const passkeys = await call<Passkey[]>('GET', '/api/auth/passkey/list-user-passkeys');
  return passkeys.sort((one, other) => other.createdAt.localeCompare(one.createdAt));
}

/** Has the device make one. @throws ApiError, also PASSKEY_FAILED and PASSKEY_EXISTS of the device */
export async function addPasskey(name: string): Promise<void> {
  const path = '/api/auth/passkey/generate-register-options';
  const optionsJSON = await call<CreationOptions>('GET', path);
  const response = await startRegistration({ optionsJSON }).catch(refused);
  await askAuth('/passkey/verify-registration', { response, name });
}

/** @throws ApiError, also PASSKEY_FAILED of the device */
export async function signInByPasskey(): Promise<User> {
  const path = '/api/auth/passkey/generate-authenticate-options';
  const optionsJSON = await call<RequestOptions>('GET', path);
  const response = await startAuthentication({ optionsJSON }).catch(refused);
  return (await askAuth<{ user: User }>('/passkey/verify-authentication', { response })).user;
}

export const renamePasskey = (id: string, name: string) =>
  askAuth('/passkey/update-passkey', { id, name });

export const removePasskey = (id: string) => askAuth('/passkey/delete-passkey', { id });

/** Browsers don't tell whether somebody has pressed "Cancel" or the device could not. */
function refused({ name, message }: Error): never {
  const code = name === 'InvalidStateError' ? 'PASSKEY_EXISTS' : 'PASSKEY_FAILED';
  throw new ApiError(0, code, message);
}
