// The host's panel during a game: lock the lobby, end the game, remove players. It is loaded when it is first
// opened.
import type { Lobby } from '../../lobby/schema.ts';
import { useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { HostDialog } from './host-dialog.tsx';
import { LockButton } from './lock-button.tsx';
import { PlayerList } from './player-list.tsx';
import type { LobbyGame } from './use-lobby.ts';
import { usePlayers } from './use-players.ts';

interface HostPanelProps {
  game: LobbyGame;
  lobby: Lobby;
  onClosed(): void;
}

export default function HostPanel({ game, lobby, onClosed }: HostPanelProps) {
  const { t } = useI18n();
  const user = useUser();
  return (
    <HostDialog title={t.hosting.manage} onClosed={onClosed}>
      <div class="actions">
        <LockButton game={game} lobby={lobby} />
        {lobby.status === 'running' && (
          <ConfirmButton
            label={t.hosting.end}
            class="danger"
            question={t.hosting.endAsk}
            consequence={t.hosting.endMore}
            onConfirmed={() => {
              game.host.end();
              onClosed();
            }}
          />
        )}
      </div>
      <PlayerList
        lobby={lobby}
        players={usePlayers(lobby)}
        ownId={user.id}
        onRemove={game.host.kick}
      />
    </HostDialog>
  );
}
