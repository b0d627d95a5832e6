// The buttons that leave a lobby: before and during a game after a confirmation, and home after its end.
import type { Lobby } from '../../lobby/schema.ts';
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { Button, ConfirmButton } from '../ui/button.tsx';
import type { LobbyGame } from './use-lobby.ts';

/** The confirmation says what leaving means now. */
export function LeaveButton({ game, lobby }: { game: LobbyGame; lobby: Lobby }) {
  const { t } = useI18n();
  const isHost = lobby.hostId === useUser().id;
  const isWaiting = lobby.status === 'waiting';
  const ofHost = isWaiting ? t.leaveAsHost : t.stage.leaveRunning;
  const ofPlayer = isWaiting ? t.leaveWaiting : lobby.settings.lateJoin ? t.leaveLate : t.leaveRunning;
  return (
    <ConfirmButton
      label={t.leave}
      question={t.leaveAsk}
      consequence={isHost ? ofHost : ofPlayer}
      stay={t.stay}
      isDisabled={game.status !== 'live'}
      action={game.leave}
    />
  );
}

/** Leaves a lobby whose game is over and goes home. The others then do not wait for this host to start another game. */
export function HomeButton({ game, class: kind }: { game: LobbyGame; class: 'secondary' | 'quiet' }) {
  const { t } = useI18n();
  const goHome = () => {
    game.leave();
    navigate('/');
  };
  return <Button class={kind} label={t.home} onClick={goHome} />;
}
