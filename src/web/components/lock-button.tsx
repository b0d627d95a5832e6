// Lets nobody else into a lobby, or lets them in again.
import type { Lobby } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import type { LobbyGame } from '../use-lobby.ts';
import { Icon } from './icon.tsx';

export function LockButton({ game, lobby }: { game: LobbyGame; lobby: Lobby }) {
  const { t } = useI18n();
  const { locked } = lobby;
  return (
    <button type="button" class="secondary" onClick={() => game.host.lock(!locked)}>
      <Icon name="lock" /> {locked ? t.hosting.unlock : t.hosting.lock}
    </button>
  );
}
