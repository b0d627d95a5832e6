// The host's panel during a game: lock the lobby, end the game, remove players. It is loaded when it is first
// opened.
import type { Lobby } from '../../lobby/schema.ts';
import { useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { EndButton } from './end-button.tsx';
import { HostDialog } from './host-dialog.tsx';
import { LockButton } from './lock-button.tsx';
import { PlayerList } from './player-list.tsx';
import { RemoteLink } from './remote-link.tsx';
import type { LobbyGame } from './use-lobby.ts';
import { usePlayers } from './use-players.ts';

interface HostPanelProps {
  game: LobbyGame;
  lobby: Lobby;
  onClosed(): void;
}

export function HostPanel({ game, lobby, onClosed }: HostPanelProps) {
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
