// The link to a lobby, and who invites to what: to copy, to share, to scan, and its code to say aloud.

import type { Lobby } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { usePageConfig } from '../page-config.tsx';
import { useUser } from '../session.tsx';
import { useWordsName } from '../use-words-name.ts';
import { Icon } from './icon.tsx';
import { lazy } from './lazy.tsx';
import { ShareButtons } from './share-buttons.tsx';

const QrCode = lazy(() => import('./qr-code.tsx'));

/** @returns the address that lets others in */
export function useInvitationUrl(code: string): string {
  const { shareOrigin } = usePageConfig();
  return `${shareOrigin ?? location.origin}/lobby/${code}`;
}

export function Invitation({ lobby }: { lobby: Lobby }) {
  const { t } = useI18n();
  const wordsName = useWordsName();
  const user = useUser();
  const { code, settings, hostId } = lobby;
  const url = useInvitationUrl(code);
  return (
    <>
      <div class="invitation">
        <div>
          <p>{t.lobbyMore}</p>
          <p class="code">
            <span class="hint">{t.lobbyCode}</span> <strong>{code}</strong>
          </p>
        </div>
        <QrCode text={url} label={t.qrCode} />
      </div>
      <p class="share-link">
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
