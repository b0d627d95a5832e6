// Passkeys: better-auth's operations, the browser's WebAuthn API, and the button that signs in by one. [contract 17]
import {
  type PublicKeyCredentialCreationOptionsJSON as CreationOptions,
  type PublicKeyCredentialRequestOptionsJSON as RequestOptions,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { ApiError } from '../../client/api-error.ts';
import { call } from '../api.ts';
import { callAuth, type User } from '../entry/auth.ts';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton } from '../ui/button.tsx';

/** Creates a passkey. @throws ApiError; for the device's failures PASSKEY_FAILED or PASSKEY_EXISTS */
export async function addPasskey(name: string): Promise<void> {
  const path = '/api/auth/passkey/generate-register-options';
  const optionsJSON = await call<CreationOptions>('GET', path);
  const response = await startRegistration({ optionsJSON }).catch(refused);
  await callAuth('/passkey/verify-registration', { response, name });
}

/** @throws ApiError; for the device's failures PASSKEY_FAILED */
async function signInByPasskey(): Promise<User> {
  const path = '/api/auth/passkey/generate-authenticate-options';
  const optionsJSON = await call<RequestOptions>('GET', path);
  const response = await startAuthentication({ optionsJSON }).catch(refused);
  return (await callAuth<{ user: User }>('/passkey/verify-authentication', { response })).user;
}

export const renamePasskey = (id: string, name: string) => callAuth('/passkey/update-passkey', { id, name });

export const removePasskey = (id: string) => callAuth('/passkey/delete-passkey', { id });

/** Maps the browser's error, which does not distinguish a cancellation from a failure of the device. */
function refused({ name, message }: Error): never {
  const code = name === 'InvalidStateError' ? 'PASSKEY_EXISTS' : 'PASSKEY_FAILED';
  throw new ApiError(0, code, message);
}

/** Signs in by a passkey. It is loaded only in browsers that support passkeys. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn(user: User): void }) {
  const { t } = useI18n();
  return <ActionButton label={t.signInByPasskey} action={async () => onSignedIn(await signInByPasskey())} />;
}
