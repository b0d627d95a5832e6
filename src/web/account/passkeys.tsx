// The user's passkeys, which can be added, renamed and removed.
import { useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import type { Account } from '../../client/types.ts';
import { useSession } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton, Button, ConfirmButton, SubmitButton, useSubmit } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { describeDevice } from './device-name.ts';
import { addPasskey, removePasskey, renamePasskey } from './passkey-operations.tsx';

type Passkey = Account['passkeys'][number];

interface PasskeysProps {
  passkeys: readonly Passkey[];
  /** Loads the passkeys again. */
  onChanged(): Promise<void>;
}

export function Passkeys({ passkeys, onChanged }: PasskeysProps) {
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
