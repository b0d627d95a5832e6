// The host's remote on a phone: the next step, and everything that a class does not have to see on the projector, such
// as the removal of a player.
import type { Lobby } from '../../lobby/schema.ts';
import { useUser } from '../entry/session.tsx';
import { nextHostAction, phaseOf, sceneOf } from '../game/game-state.ts';
import { outcome } from '../game/podium.tsx';
import { Solution } from '../game/solution.tsx';
import { TimerRing } from '../game/timer.tsx';
import { useI18n } from '../i18n/index.tsx';
import { EndButton, type HostDialogName, RemoteNeeds } from '../lobby/host-panel.tsx';
import { LockButton, PlayerList, Refusal, usePlayers } from '../lobby/player-list.tsx';
import type { LobbyGame } from '../lobby/use-lobby.ts';
import { canStart } from '../lobby/waiting-room.tsx';
import { Button } from '../ui/button.tsx';
import { Notice, Page } from '../ui/page.tsx';
import { useWakeLock } from './device.ts';
import { performAction, StepButton, useActionTexts } from './next-step.tsx';
import './remote.css';

interface RemoteProps {
  game: LobbyGame;
  lobby: Lobby;
  onOpen(dialog: HostDialogName): void;
}

export function Remote({ game, lobby, onOpen }: RemoteProps) {
  const { t } = useI18n();
  const user = useUser();
  const isHost = lobby.hostId === user.id;
  const players = usePlayers(lobby, isHost);
  useWakeLock();
  return (
    <Page
      title={t.hosting.remote}
      aside={
        <strong class="remote-code" translate={false}>
          {lobby.code}
        </strong>
      }
      isGame
    >
      {isHost ? (
        <>
          <section class="card remote-now" aria-label={t.hosting.onProjector}>
            <Now game={game} lobby={lobby} />
          </section>
          <Refusal game={game} />
          <NextButton game={game} lobby={lobby} />
          <div class="actions">
            <LockButton game={game} lobby={lobby} />
            {lobby.status === 'waiting' && <Button label={t.hosting.settings} onClick={() => onOpen('settings')} />}
            <EndButton game={game} lobby={lobby} />
          </div>
          <section class="card" aria-label={t.players}>
            <PlayerList lobby={lobby} players={players} ownId={user.id} host={game.host} />
          </section>
        </>
      ) : (
        <Notice kind="info">
          {t.hosting.notHost}
          <RemoteNeeds />
        </Notice>
      )}
    </Page>
  );
}

/** The host's main button, which stays at the bottom of the screen. */
function NextButton({ game, lobby }: Pick<RemoteProps, 'game' | 'lobby'>) {
  const { state } = game;
  // A result without an intermission is only the projector's: the next round is open already.
  const result = state.intermission ? (state.resolved.at(-1) ?? null) : null;
  const action = nextHostAction(phaseOf(state), result);
  const texts = useActionTexts(result);
  if (!action) return null;
  return (
    <StepButton
      key={sceneOf(state, result)}
      class="primary remote-next"
      text={texts[action]}
      isDisabled={game.status !== 'live' || (action === 'start' && !canStart(lobby))}
      onPressed={() => performAction(action, game, result, () => {})}
    />
  );
}

/** What is on the projector, in a few words. */
function Now({ game, lobby }: Pick<RemoteProps, 'game' | 'lobby'>) {
  const { t } = useI18n();
  const { round, progress, resolved, scores, winnerIds } = game.state;
  const last = resolved.at(-1);
  if (winnerIds) {
    const { title, heading } = outcome(t, scores, winnerIds, '');
    return <h2>{heading ?? title}</h2>;
  }
  if (round)
    return (
      <>
        <div class="row apart">
          <h2>{t.roundOf(round.number, round.total)}</h2>
          {round.countdown && <TimerRing countdown={round.countdown} />}
        </div>
        <p lang={lobby.settings.sourceLanguage}>{round.question.prompt}</p>
        {progress && (
          <>
            <p translate={false}>{t.stage.answered(progress.answered, progress.awaited)}</p>
            <progress aria-hidden="true" max={progress.awaited} value={progress.answered} />
          </>
        )}
      </>
    );
  if (last)
    return (
      <>
        <h2>{t.roundResult(last.number)}</h2>
        {last.question && (
          <p>
            <Solution question={last.question} solution={last} direction={lobby.settings} />
          </p>
        )}
      </>
    );
  return <h2>{lobby.status === 'waiting' ? t.lobby : t.judging}</h2>;
}
