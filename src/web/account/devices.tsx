// The devices that are signed in. The user can sign out one, all others or all.
import type { Account } from '../../client/types.ts';
import { client } from '../api.ts';
import { callAuth } from '../entry/auth.ts';
import { useSession } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton, ConfirmButton } from '../ui/button.tsx';
import { describeDevice } from './device-name.ts';

type Session = Account['sessions'][number];

interface DevicesProps {
  sessions: readonly Session[];
  /** Loads the devices again. */
  onChanged(): Promise<void>;
}

export function Devices({ sessions, onChanged }: DevicesProps) {
  const { t } = useI18n();
  const { signOut } = useSession();
  const endOthers = async () => {
    await callAuth('/revoke-other-sessions', {});
    await onChanged();
  };
  const endAll = async () => {
    await signOut(() => callAuth('/revoke-sessions', {}));
    navigate('/');
  };
  return (
    <>
      <p class="hint">{t.account.devicesMore}</p>
      <ul class="devices ruled">
        {sessions.map((session) => (
          <DeviceRow key={session.sessionId} session={session} onChanged={onChanged} />
        ))}
      </ul>
      <div class="actions">
        {sessions.length > 1 && <ActionButton label={t.account.signOutOthers} action={endOthers} />}
        <ConfirmButton
          class="secondary"
          label={t.account.signOutAll}
          question={t.account.signOutAllAsk}
          consequence={t.account.signOutAllMore}
          action={endAll}
        />
      </div>
    </>
  );
}

function DeviceRow({ session, onChanged }: { session: Session; onChanged(): Promise<void> }) {
  const { t, dateTime } = useI18n();
  const end = async () => {
    await client.deleteSession(session.sessionId);
    await onChanged();
  };
  const name = describeDevice(t, session.userAgent) ?? t.account.unknownDevice;
  return (
    <li class="row apart">
      <div>
        <strong>{name}</strong>
        {session.current && <small class="tag">{t.account.thisDevice}</small>}
        <p class="hint">{t.account.signedInAt(dateTime(session.createdAt))}</p>
      </div>
      {!session.current && <ActionButton label={t.signOut} of={name} action={end} />}
    </li>
  );
}
