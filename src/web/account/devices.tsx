// The devices that are signed in. The user can sign out one, all others or all.
import type { Account } from '../../client/types.ts';
import { client } from '../api.ts';
import { useSession } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useSubmit } from '../ui/submit-button.tsx';
import { describeDevice } from './device-name.ts';
import { signOutEverywhere, signOutOthers } from './operations.ts';

type Session = Account['sessions'][number];

interface DevicesProps {
  sessions: readonly Session[];
  /** Loads the devices again. */
  onChanged(): Promise<void>;
}

export function Devices({ sessions, onChanged }: DevicesProps) {
  const { t } = useI18n();
  const { signOut } = useSession();
  const others = useSubmit(async () => {
    await signOutOthers();
    await onChanged();
  });
  const all = useSubmit(async () => {
    await signOut(signOutEverywhere);
    navigate('/');
  });
  const error = others.error ?? all.error;
  return (
    <>
      <p class="hint">{t.account.devicesMore}</p>
      <ul class="devices ruled">
        {sessions.map((session) => (
          <DeviceRow key={session.sessionId} session={session} onChanged={onChanged} />
        ))}
      </ul>
      {error && <Notice kind="error">{error}</Notice>}
      <div class="actions">
        {sessions.length > 1 && (
          <button type="button" class="secondary" aria-busy={others.isBusy} onClick={others.submit}>
            {t.account.signOutOthers}
          </button>
        )}
        <ConfirmButton
          class="secondary"
          label={t.account.signOutAll}
          question={t.account.signOutAllAsk}
          consequence={t.account.signOutAllMore}
          onConfirmed={all.submit}
        />
      </div>
    </>
  );
}

function DeviceRow({ session, onChanged }: { session: Session; onChanged(): Promise<void> }) {
  const { t, dateTime } = useI18n();
  const { isBusy, error, submit } = useSubmit(async () => {
    await client.deleteSession(session.sessionId);
    await onChanged();
  });
  const name = describeDevice(t, session.userAgent) ?? t.account.unknownDevice;
  return (
    <li class="row apart">
      <div>
        <strong>{name}</strong>
        {session.current && <small class="tag">{t.account.thisDevice}</small>}
        <p class="hint">{t.account.signedInAt(dateTime(session.createdAt))}</p>
      </div>
      {!session.current && (
        <button type="button" class="secondary" aria-busy={isBusy} onClick={submit}>
          {t.signOut}
          <span class="visually-hidden">: {name}</span>
        </button>
      )}
      {error && <Notice kind="error">{error}</Notice>}
    </li>
  );
}
