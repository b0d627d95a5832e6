// The game on a projector, for a whole room. A host who presents sees it instead of the player's screens, and
// any member can open it as a second screen. It sends no answers, and shows only what all players get.
import { useRef } from 'preact/hooks';
import { useStageSound } from '../effects/effects.tsx';
import { useUser } from '../entry/session.tsx';
import { phaseOf } from '../game/game-state.ts';
import { useI18n } from '../i18n/index.tsx';
import { Refusal } from '../lobby/player-list.tsx';
import { useFrame } from '../ui/page.tsx';
import { useFocusOnStage, useFullScreen, useScheme, useStageKeys, useWakeLock } from './device.ts';
import { nextHostAction, sceneOf } from './host-action.ts';
import { performAction } from './next-step.tsx';
import { Scene, StagePodium, StageResult, StageRound, StageWaitingRoom } from './scenes.tsx';
import './stage.css';
import './projector.css';
import { StageBar, type StageBarProps } from './stage-bar.tsx';

interface StageProps extends Pick<StageBarProps, 'game' | 'lobby' | 'result' | 'isSecondScreen' | 'onOpen'> {
  /** Shows the next round, which is open already. */
  onPass(): void;
}

export function Stage(props: StageProps) {
  const { game, lobby, result } = props;
  const user = useUser();
  const stage = useRef<HTMLDivElement>(null);
  const [isFull, toggleFullScreen] = useFullScreen();
  const [isDark, toggleDark] = useScheme();
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
        isDark={isDark}
        onDark={toggleDark}
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
