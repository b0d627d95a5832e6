// The link to a lobby, and who invites to what: to copy, to share, to scan, and its code to say aloud.

import type { Lobby } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { usePageConfig } from '../page-config.tsx';
import { useUser } from '../session.tsx';
import { useWordsName } from '../use-words-name.ts';
import { CopyButton } from './copy-button.tsx';
import { lazy } from './lazy.tsx';

const QrCode = lazy(() => import('./qr-code.tsx'));

export function Invitation({ lobby }: { lobby: Lobby }) {
  const { t } = useI18n();
  const wordsName = useWordsName();
  const user = useUser();
  const { code, settings } = lobby;
  const { shareOrigin } = usePageConfig();
  const url = `${shareOrigin ?? location.origin}/lobby/${code}`;
  const share = () => {
    // Somebody who thinks better of it is no error.
    const text = t.shareText(user.name, wordsName(settings));
    navigator.share({ text, url }).catch(() => {});
  };
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
        <CopyButton text={url} />
        {'share' in navigator && (
          <button type="button" class="secondary" onClick={share}>
            {t.share}
          </button>
        )}
      </div>
    </>
  );
}
