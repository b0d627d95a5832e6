// Leaves a lobby whose game is over and goes home. The others then do not wait for this host to start another
// game.
import { useI18n } from '../i18n/index.tsx';
import type { LobbyGame } from '../lobby/use-lobby.ts';
import { navigate } from './router.ts';

interface HomeButtonProps {
  game: LobbyGame;
  class: 'secondary' | 'quiet';
}

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
