// Home from a game that is over, for good: who was its host is no longer waited for.
import { useI18n } from '../i18n/index.tsx';
import { navigate } from '../router.ts';
import type { LobbyGame } from '../use-lobby.ts';

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
