// The game on a projector, for a whole room, with the bar of the host's buttons. A host who presents sees it instead of the
// player's screens, and any member can open it as a second screen. It sends no answers, and shows only what all players
// get.
import { useRef } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { SoundSwitch, useStageSound } from '../effects/effects.tsx';
import { useUser } from '../entry/session.tsx';
import { useShareUrl } from '../frame/page-config.tsx';
import { type HostAction, nextHostAction, phaseOf, type ResolvedRound, sceneOf } from '../game/game-state.ts';
import { askedIn, hardestTerms } from '../game/ranking.ts';
import { useI18n } from '../i18n/index.tsx';
import { HardestAsHomework, hardestName, saveList } from '../lists/hardest-words.tsx';
import type { HostDialogName } from '../lobby/host-panel.tsx';
import { HomeButton, LeaveButton, Refusal } from '../lobby/player-list.tsx';
import type { LobbyGame } from '../lobby/use-lobby.ts';
import { canStart } from '../lobby/waiting-room.tsx';
import { ActionButton, Button, ButtonLink } from '../ui/button.tsx';
import { useFrame } from '../ui/page.tsx';
import { useWordsName } from '../words/names.ts';
import { useFocusOnStage, useFullScreen, useScheme, useStageKeys, useWakeLock } from './device.ts';
import { performAction, StepButton, useActionTexts } from './next-step.tsx';
import { Scene, StagePodium, StageResult, StageRound, StageWaitingRoom } from './scenes.tsx';
import './stage.css';
import './projector.css';

interface StageProps {
  game: LobbyGame;
  lobby: Lobby;
  /** The round whose result is to be shown. */
  result: ResolvedRound | null;
  isSecondScreen: boolean;
  onOpen(dialog: HostDialogName): void;
  /** Shows the next round, which is open already. */
  onPass(): void;
}

export function Stage(props: StageProps) {
  const { game, lobby, result } = props;
  const user = useUser();
  const stage = useRef<HTMLDivElement>(null);
  const [isFull, toggleFullScreen] = useFullScreen();
  useFrame('in-stage');
  useStageSound();
  useWakeLock();
  useFocusOnStage(stage);
  const phase = phaseOf(game.state);
  const action = lobby.hostId === user.id ? nextHostAction(phase, result) : null;
  const onAction = action && (() => performAction(action, game, result, props.onPass));
  const scene = sceneOf(game.state, result);
  useStageKeys({
    stage,
    scene,
    // A key that is pressed once too often must not start another game.
    onNext: action === 'again' ? null : onAction,
    onFullScreen: toggleFullScreen,
  });
  return (
    <div ref={stage} class="stage">
      <CurrentScene {...props} />
      <Refusal game={game} />
      <StageBar
        {...props}
        scene={scene}
        action={action}
        onAction={onAction}
        isFull={isFull}
        onFullScreen={toggleFullScreen}
      />
    </div>
  );
}

function CurrentScene({ game, lobby, result }: StageProps) {
  const { t } = useI18n();
  const { state } = game;
  const { round, progress } = state;
  if (result) return <StageResult key={result.number} state={state} result={result} lobby={lobby} />;
  if (round) return <StageRound key={round.number} round={round} progress={progress} lobby={lobby} />;
  if (state.winnerIds) return <StagePodium state={state} lobby={lobby} />;
  if (lobby.status === 'waiting') return <StageWaitingRoom lobby={lobby} />;
  return <Scene name="judging" title={t.judging} children={null} />;
}

interface StageBarProps extends StageProps {
  /** Identifies what is on the screen. */
  scene: string;
  action: HostAction | null;
  onAction: (() => void) | null;
  isFull: boolean;
  onFullScreen(): void;
}

function StageBar(props: StageBarProps) {
  const { game, lobby, isSecondScreen, action, isFull, onFullScreen } = props;
  const [isDark, toggleDark] = useScheme();
  const { t } = useI18n();
  const isHost = lobby.hostId === useUser().id;
  const url = useShareUrl(`/lobby/${lobby.code}`);
  return (
    <div class="stage-bar row apart">
      <div>
        {lobby.status !== 'waiting' && (
          <p translate={false}>
            <span class="on-wide">{new URL(url).host} · </span>
            <strong>{lobby.code}</strong>
          </p>
        )}
        {/* The keys that work now, which a phone does not have, or why the game can't start. */}
        {action === 'start' && !canStart(lobby) ? (
          <p class="hint">{t.needTwo}</p>
        ) : (
          <p class="hint on-wide">{action && action !== 'again' ? t.stage.keys : t.stage.fullScreenKey}</p>
        )}
      </div>
      {isHost && action === 'again' && (
        <div class="stage-ways row">
          <ButtonLink to={`/games/${lobby.gameId}`} class="quiet" label={t.games.review} />
          {lobby.gameId && <HardestAsHomework gameId={lobby.gameId} class="quiet" />}
          <HardestAgain game={game} lobby={lobby} />
        </div>
      )}
      <div class="stage-actions row apart">
        {!isSecondScreen && lobby.status === 'finished' && <HomeButton game={game} class="quiet" />}
        {!isSecondScreen && lobby.status !== 'finished' && <LeaveButton game={game} lobby={lobby} />}
        <SoundSwitch isShort />
        <Button class="quiet" icon="dark" label={t.stage.dark} isIcon aria-pressed={isDark} onClick={toggleDark} />
        <Button
          class="quiet"
          icon="frame"
          label={t.stage.fullScreen}
          isShort
          aria-pressed={isFull}
          onClick={onFullScreen}
        />
        {isHost && <HostControls {...props} />}
      </div>
    </div>
  );
}

function HostControls({ game, lobby, result, scene, onOpen, action, onAction }: StageBarProps) {
  const { t } = useI18n();
  const texts = useActionTexts(result);
  return (
    <>
      {lobby.status === 'waiting' && (
        <Button class="quiet" label={t.hosting.settings} onClick={() => onOpen('settings')} />
      )}
      <Button class="quiet" icon="dots" label={t.hosting.manage} isIcon onClick={() => onOpen('panel')} />
      {action && (
        <StepButton
          key={scene}
          class="primary"
          text={texts[action]}
          isDisabled={game.status !== 'live' || (action === 'start' && !canStart(lobby))}
          onPressed={() => onAction?.()}
        />
      )}
    </>
  );
}

/**
 * Plays the words that fewest players knew once more, in the same room. They become a list of the host's own, which
 * the next such game with these words replaces.
 */
function HardestAgain({ game, lobby: { settings } }: { game: LobbyGame; lobby: Lobby }) {
  const { t } = useI18n();
  const wordsName = useWordsName();
  const { sourceLanguage, targetLanguage, listName = wordsName(settings) } = settings;
  const terms = hardestTerms(askedIn(game.state.resolved));
  if (terms.length === 0 || !sourceLanguage || !targetLanguage) return null;
  const play = async () => {
    const { listId } = await saveList({ sourceLanguage, targetLanguage, terms, name: hardestName(t, listName) });
    game.host.again();
    game.host.configure({ settings: { listId, rounds: terms.length } });
  };
  return <ActionButton label={t.stage.hardestAgain(terms.length)} action={play} />;
}
