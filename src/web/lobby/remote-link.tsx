// Leads a host's phone to the remote, which needs the host's account.
import { useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { lazy } from '../ui/lazy.tsx';
import { useInvitationUrl } from './invitation.tsx';

const QrCode = lazy(async () => (await import('../ui/qr-code.tsx')).QrCode);

export function RemoteLink({ code }: { code: string }) {
  const { t } = useI18n();
  const { isAnonymous } = useUser();
  const url = `${useInvitationUrl(code)}/remote`;
  return (
    <details class="remote-link">
      <summary>{t.hosting.remoteOnPhone}</summary>
      <p class="hint">{isAnonymous ? t.hosting.remoteNeedsAccount : t.hosting.remoteMore}</p>
      {!isAnonymous && <QrCode text={url} label={t.qrCode} />}
    </details>
  );
}
