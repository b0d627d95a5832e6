// Ends a running game for everybody, after a confirmation.
import type { Lobby } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import type { LobbyGame } from './use-lobby.ts';

interface EndButtonProps {
  game: LobbyGame;
  lobby: Lobby;
  onEnded?(): void;
}

export function EndButton({ game, lobby, onEnded }: EndButtonProps) {
  const { t } = useI18n();
  if (lobby.status !== 'running') return null;
  return (
    <ConfirmButton
      label={t.hosting.end}
      class="danger"
      question={t.hosting.endAsk}
      consequence={t.hosting.endMore}
      onConfirmed={() => {
        game.host.end();
        onEnded?.();
      }}
    />
  );
}
