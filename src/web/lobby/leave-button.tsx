// The buttons that leave a lobby: before and during a game after a confirmation, since a player can't rejoin a running
// game, and home after its end.
import { navigate } from '../frame/router.ts';
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

interface HomeButtonProps {
  game: LobbyGame;
  class: 'secondary' | 'quiet';
}

/** Leaves a lobby whose game is over and goes home. The others then do not wait for this host to start another game. */
export function HomeButton({ game, class: kind }: HomeButtonProps) {
  const { t } = useI18n();
  const goHome = () => {
    game.leave();
    navigate('/');
  };
  return (
    <button type="button" class={kind} onClick={goHome}>
      {t.home}
    </button>
  );
}
