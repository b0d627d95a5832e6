// Leaves the lobby after a confirmation, since a player can't rejoin a running game.
import { useI18n } from '../i18n/index.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import type { LobbyGame } from './use-lobby.ts';

/** @param props.consequence what leaving means now; the confirmation says it */
export function LeaveButton({ game, consequence }: { game: LobbyGame; consequence: string }) {
  const { t } = useI18n();
  return (
    <ConfirmButton
      label={t.leave}
      question={t.leaveAsk}
      consequence={consequence}
      stay={t.stay}
      isDisabled={game.status !== 'live'}
      onConfirmed={game.leave}
    />
  );
}
