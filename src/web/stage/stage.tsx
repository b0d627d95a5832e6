// The game for a whole room, as a projector shows it: to a host who presents instead of the player's
// screen, and on a second screen of whoever is in the game. It answers nothing, and shows of a round
// what everybody is told.
import { useRef } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import type { HostWindow } from '../components/host-dialog.tsx';
import { Refusal } from '../components/refusal.tsx';
import { phaseOf, type ResolvedRound } from '../game-state.ts';
import { useI18n } from '../i18n/index.tsx';
import { useUser } from '../session.tsx';
import type { LobbyGame } from '../use-lobby.ts';
import { Asking } from './asking.tsx';
import { Gathering } from './gathering.tsx';
import { nextStep, type Step } from './next-step.ts';
import { Scene } from './scene.tsx';
import { Solved } from './solved.tsx';
import './stage.css';
import './projector.css';
import { StageBar } from './stage-bar.tsx';
import { useFullScreen } from './use-full-screen.ts';
import { useStageKeys } from './use-stage-keys.ts';
import { Winners } from './winners.tsx';

export interface StageProps {
  game: LobbyGame;
  lobby: Lobby;
  /** The round whose result is to be shown. */
  result: ResolvedRound | null;
  /** Goes on here, where the next round is open already. */
  onPass(): void;
  onOpen(window: HostWindow): void;
  isSecondScreen: boolean;
}

export default function Stage(props: StageProps) {
  const { game, lobby, result } = props;
  const user = useUser();
  const stage = useRef<HTMLDivElement>(null);
  const [isFull, toggleFullScreen] = useFullScreen();
  const phase = phaseOf(game.state);
  const step = lobby.hostId === user.id ? nextStep(phase, result) : null;
  const act = step && (() => take(step, props));
  useStageKeys({
    stage,
    scene: `${phase} ${game.state.round?.number} ${result?.number}`,
    // Another game is not begun by a key too many.
    onNext: step === 'again' ? null : act,
    onFullScreen: toggleFullScreen,
  });
  return (
    <div ref={stage} class="stage">
      <Picture {...props} />
      <Refusal game={game} />
      <StageBar {...props} {...{ step, act, isFull }} onFullScreen={toggleFullScreen} />
    </div>
  );
}

/** Does what comes next. */
function take(step: Step, { game, result, onPass }: StageProps): void {
  const { round } = game.state;
  if (step === 'start') game.host.start();
  else if (step === 'again') game.host.again();
  else if (step === 'pass') onPass();
  else if (step === 'skip' && round) game.host.next(round.number, 'round');
  else if (step === 'next' && result) game.host.next(result.number, 'intermission');
}

/** What is on the screen. */
function Picture({ game, lobby, result }: StageProps) {
  const { t } = useI18n();
  const { state } = game;
  const { round, progress } = state;
  if (result) return <Solved key={result.number} {...{ state, result, lobby }} />;
  if (round) return <Asking key={round.number} {...{ round, progress, lobby }} />;
  if (state.winnerIds) return <Winners state={state} />;
  if (lobby.status === 'waiting') return <Gathering lobby={lobby} />;
  return <Scene name="judging" title={t.judging} children={null} />;
}
