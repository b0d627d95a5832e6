import type { Lobby } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { Icon } from '../ui/icon.tsx';
import type { LobbyGame } from './use-lobby.ts';

export function LockButton({ game, lobby }: { game: LobbyGame; lobby: Lobby }) {
  const { t } = useI18n();
  const { locked } = lobby;
  return (
    <button type="button" class="secondary" onClick={() => game.host.lock(!locked)}>
      <Icon name="lock" /> {locked ? t.hosting.unlock : t.hosting.lock}
    </button>
  );
}
