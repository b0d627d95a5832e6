// The link to a lobby as text and as a QR code, buttons to copy and share it, and the lobby's code.
import type { Lobby } from '../../lobby/schema.ts';
import { useUser } from '../entry/session.tsx';
import { useShareUrl } from '../frame/page-config.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ShareButtons } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { lazy } from '../ui/lazy.tsx';
import { useWordsName } from '../words/names.ts';

const QrCode = lazy(async () => (await import('../ui/qr-code.tsx')).QrCode);

/** @returns the link with which others join */
export function useInvitationUrl(code: string): string {
  return useShareUrl(`/lobby/${code}`);
}

export function Invitation({ lobby }: { lobby: Lobby }) {
  const { t } = useI18n();
  const wordsName = useWordsName();
  const user = useUser();
  const { code, settings, hostId } = lobby;
  const url = useInvitationUrl(code);
  return (
    <>
      <div class="invitation row apart">
        <div>
          <p>{t.lobbyMore}</p>
          <p class="code" translate={false}>
            <span class="hint">{t.lobbyCode}</span> <strong>{code}</strong>
          </p>
        </div>
        {hostId === user.id && <QrCode text={url} label={t.qrCode} />}
      </div>
      <p class="share-link" translate={false}>
        <a href={url}>{url}</a>
      </p>
      <div class="actions">
        <ShareButtons url={url} text={t.shareText(user.name, wordsName(settings))} />
        {hostId === user.id && (
          <a href={`/lobby/${code}/screen`} target="_blank" rel="noopener" class="button secondary">
            <Icon name="frame" /> {t.stage.open}
          </a>
        )}
      </div>
    </>
  );
}
