// Out of a lobby for good, after a question: it can't be undone everywhere.
import { useI18n } from '../i18n/index.tsx';
import type { LobbyGame } from '../use-lobby.ts';
import { ConfirmButton } from './confirm-button.tsx';

/** @param props.consequence what leaving means at this point */
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
