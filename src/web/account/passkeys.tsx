// The user's passkeys, which can be added, renamed and removed.
import { useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import type { Account } from '../../client/types.ts';
import { useSession } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { SubmitButton, useSubmit } from '../ui/submit-button.tsx';
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
  const adding = useSubmit(async () => {
    const name = describeDevice(t, navigator.userAgent) ?? t.account.unknownDevice;
    await addPasskey(name).catch((thrown: unknown) => {
      setStale(thrown instanceof ApiError && thrown.code === 'SESSION_EXPIRED');
      throw thrown;
    });
    await onChanged();
  });
  const again = useSubmit(() => signOut());
  const error = adding.error ?? again.error;
  return (
    <>
      <p class="hint">{t.account.passkeysMore}</p>
      <ul class="devices ruled">
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.passkeyId} passkey={passkey} onChanged={onChanged} />
        ))}
      </ul>
      {error && <Notice kind="error">{error}</Notice>}
      <div class="actions">
        <button type="button" class="secondary" aria-busy={adding.isBusy} onClick={adding.submit}>
          {t.account.addPasskey}
        </button>
        {isStale && (
          <button type="button" class="primary" aria-busy={again.isBusy} onClick={again.submit}>
            {t.account.signInAgain}
          </button>
        )}
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
  const removing = useSubmit(async () => {
    await removePasskey(passkey.passkeyId);
    await onChanged();
  });
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
        <button type="button" class="secondary" onClick={() => setNaming(true)}>
          {t.account.rename}
          <span class="visually-hidden">: {name}</span>
        </button>
        <ConfirmButton
          class="secondary"
          label={t.account.remove}
          question={t.account.removePasskeyAsk(name)}
          consequence={t.account.removePasskeyMore}
          onConfirmed={removing.submit}
        />
      </div>
      {removing.error && <Notice kind="error">{removing.error}</Notice>}
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
      <SubmitButton sending={sending} onCancel={onDone}>
        {t.account.saveName}
      </SubmitButton>
    </form>
  );
}
