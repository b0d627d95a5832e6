// The user's passkeys, which can be added, renamed and removed, and the sign-in by one: better-auth's operations, and the
// browser's WebAuthn API. [contract 17]
import {
  type PublicKeyCredentialCreationOptionsJSON as CreationOptions,
  type PublicKeyCredentialRequestOptionsJSON as RequestOptions,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import type { Account } from '../../client/types.ts';
import { call } from '../api.ts';
import { callAuth, type User } from '../entry/auth.ts';
import { useSession } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton, Button, ConfirmButton, SubmitButton, useSubmit } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { describeDevice } from './device-name.ts';

type Passkey = Account['passkeys'][number];

export function Passkeys({ passkeys, onChanged }: { passkeys: readonly Passkey[]; onChanged(): Promise<void> }) {
  const { t } = useI18n();
  const { signOut } = useSession();
  const [isStale, setStale] = useState(false);
  const add = async () => {
    const name = describeDevice(t, navigator.userAgent) ?? t.account.unknownDevice;
    await addPasskey(name).catch((thrown: unknown) => {
      setStale(thrown instanceof ApiError && thrown.code === 'SESSION_EXPIRED');
      throw thrown;
    });
    await onChanged();
  };
  return (
    <>
      <p class="hint">{t.account.passkeysMore}</p>
      <ul class="devices ruled">
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.passkeyId} passkey={passkey} onChanged={onChanged} />
        ))}
      </ul>
      <div class="actions">
        <ActionButton label={t.account.addPasskey} action={add} />
        {isStale && <ActionButton class="primary" label={t.account.signInAgain} action={() => signOut()} />}
      </div>
    </>
  );
}

interface PasskeyProps {
  passkey: Passkey;
  onChanged(): Promise<void>;
}

function PasskeyRow({ passkey, onChanged }: PasskeyProps) {
  const { t, dateTime } = useI18n();
  const [isNaming, setNaming] = useState(false);
  const remove = async () => {
    await removePasskey(passkey.passkeyId);
    await onChanged();
  };
  const name = passkey.name || t.account.unnamedPasskey;
  if (isNaming)
    return (
      <li class="row apart">
        <PasskeyName passkey={passkey} onChanged={onChanged} onDone={() => setNaming(false)} />
      </li>
    );
  return (
    <li class="row apart">
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <p class="hint">{t.account.addedAt(dateTime(passkey.createdAt))}</p>
      </div>
      <div class="actions">
        <Button label={t.account.rename} of={name} onClick={() => setNaming(true)} />
        <ConfirmButton
          class="secondary"
          label={t.account.remove}
          question={t.account.removePasskeyAsk(name)}
          consequence={t.account.removePasskeyMore}
          action={remove}
        />
      </div>
    </li>
  );
}

function PasskeyName({ passkey, onChanged, onDone }: PasskeyProps & { onDone(): void }) {
  const { t } = useI18n();
  const [name, setName] = useState(passkey.name ?? '');
  const sending = useSubmit(async () => {
    await renamePasskey(passkey.passkeyId, name.trim());
    await onChanged();
    onDone();
  });
  return (
    <form onSubmit={sending.submit}>
      <Field
        label={t.account.passkeyName}
        name="passkey-name"
        autoComplete="off"
        isFocused
        value={name}
        onValue={setName}
      />
      <SubmitButton sending={sending} label={t.account.saveName} onCancel={onDone} />
    </form>
  );
}

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
