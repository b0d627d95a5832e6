// The host's panel during a game: lock the lobby, end the game, remove players, and open the remote on a phone. It is
// loaded when it is first opened.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { useUser } from '../entry/session.tsx';
import { useShareUrl } from '../frame/page-config.tsx';
import { useI18n } from '../i18n/index.tsx';
import { Button, ConfirmButton, useDialog } from '../ui/button.tsx';
import { lazy } from '../ui/lazy.tsx';
import { LockButton, PlayerList, usePlayers } from './player-list.tsx';
import type { LobbyGame } from './use-lobby.ts';

export function HostPanel({ game, lobby, onClosed }: { game: LobbyGame; lobby: Lobby; onClosed(): void }) {
  const { t } = useI18n();
  const user = useUser();
  const players = usePlayers(lobby);
  return (
    <HostDialog title={t.hosting.manage} onClosed={onClosed}>
      <div class="actions">
        <LockButton game={game} lobby={lobby} />
        <EndButton game={game} lobby={lobby} onEnded={onClosed} />
      </div>
      <RemoteLink code={lobby.code} />
      <PlayerList lobby={lobby} players={players} ownId={user.id} host={game.host} />
    </HostDialog>
  );
}

export type HostDialogName = 'settings' | 'panel';

interface HostDialogProps {
  title: string;
  onClosed(): void;
  children: ComponentChildren;
}

/** A dialog of the host; the game goes on behind it. */
export function HostDialog({ title, onClosed, children }: HostDialogProps) {
  const { t } = useI18n();
  const dialog = useDialog();
  const id = useId();
  return (
    <dialog ref={dialog} class="host-dialog" aria-labelledby={id} onClose={onClosed}>
      <div class="page-head row apart">
        <h2 id={id}>{title}</h2>
        <Button label={t.hosting.close} onClick={() => dialog.current?.close()} />
      </div>
      {children}
    </dialog>
  );
}

/** Ends a running game for everybody, after a confirmation. */
export function EndButton({ game, lobby, onEnded }: { game: LobbyGame; lobby: Lobby; onEnded?(): void }) {
  const { t } = useI18n();
  if (lobby.status !== 'running') return null;
  return (
    <ConfirmButton
      label={t.hosting.end}
      class="danger"
      question={t.hosting.endAsk}
      consequence={t.hosting.endMore}
      action={() => {
        game.host.end();
        onEnded?.();
      }}
    />
  );
}

const QrCode = lazy(async () => (await import('../ui/qr-code.tsx')).QrCode);

/** A guest has no account with which a phone could sign in. */
export function RemoteNeeds() {
  const { t } = useI18n();
  return (
    <p class="hint">
      {t.hosting.remoteNeedsAccount}{' '}
      <a href="/account" target="_blank" rel="noopener">
        {t.signUp}
      </a>
    </p>
  );
}

/** Leads a host's phone to the remote, which needs the host's account. */
function RemoteLink({ code }: { code: string }) {
  const { t } = useI18n();
  const { isAnonymous } = useUser();
  const url = useShareUrl(`/lobby/${code}/remote`);
  return (
    <details class="remote-link">
      <summary>{t.hosting.remoteOnPhone}</summary>
      {isAnonymous ? (
        <RemoteNeeds />
      ) : (
        <>
          <p class="hint">{t.hosting.remoteMore}</p>
          <QrCode text={url} label={t.qrCode} />
        </>
      )}
    </details>
  );
}
