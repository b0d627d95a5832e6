// The devices that are signed in. The user can sign out one, all others or all.
import { useSession } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useSubmit } from '../ui/submit-button.tsx';
import { describeDevice } from './device-name.ts';
import { type Device, signOutDevice, signOutEverywhere, signOutOthers } from './operations.ts';

interface DevicesProps {
  devices: Device[];
  /** Loads the devices again. */
  onChanged(): Promise<void>;
}

export function Devices({ devices, onChanged }: DevicesProps) {
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
        {devices.map((device) => (
          <DeviceRow key={device.token} device={device} onChanged={onChanged} />
        ))}
      </ul>
      {error && <Notice kind="error">{error}</Notice>}
      <div class="actions">
        {devices.length > 1 && (
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

function DeviceRow({ device, onChanged }: { device: Device; onChanged(): Promise<void> }) {
  const { t, dateTime } = useI18n();
  const { isBusy, error, submit } = useSubmit(async () => {
    await signOutDevice(device);
    await onChanged();
  });
  const name = describeDevice(t, device.userAgent) ?? t.account.unknownDevice;
  return (
    <li class="row apart">
      <div>
        <strong>{name}</strong>
        {device.isThis && <small class="tag">{t.account.thisDevice}</small>}
        <p class="hint">{t.account.signedInAt(dateTime(device.createdAt))}</p>
      </div>
      {!device.isThis && (
        <button type="button" class="secondary" aria-busy={isBusy} onClick={submit}>
          {t.signOut}
          <span class="visually-hidden">: {name}</span>
        </button>
      )}
      {error && <Notice kind="error">{error}</Notice>}
    </li>
  );
}
