// What a host presses beside the projector, and below the game how to get in. Small, since the room
// looks at something else.
import { HomeButton } from '../components/home-button.tsx';
import { Icon } from '../components/icon.tsx';
import { useInvitationUrl } from '../components/invitation.tsx';
import { LeaveButton } from '../components/leave-button.tsx';
import { canStart } from '../components/waiting-room.tsx';
import { SoundSwitch } from '../effects/sound-switch.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useUser } from '../session.tsx';
import type { Step } from './next-step.ts';
import type { StageProps } from './stage.tsx';

interface StageBarProps extends StageProps {
  step: Step | null;
  act: (() => void) | null;
  isFull: boolean;
  onFullScreen(): void;
}

export function StageBar(props: StageBarProps) {
  const { game, lobby, isSecondScreen, step, isFull, onFullScreen } = props;
  const { t } = useI18n();
  const isHost = lobby.hostId === useUser().id;
  const url = useInvitationUrl(lobby.code);
  const isGathering = lobby.status === 'waiting';
  return (
    <div class="stage-bar">
      <div class="stage-note">
        {!isGathering && (
          <p>
            {new URL(url).host} · <strong>{lobby.code}</strong>
          </p>
        )}
        <Hint step={step} lobby={lobby} />
      </div>
      <div class="stage-actions">
        {!isSecondScreen && <WayOut game={game} lobby={lobby} />}
        <SoundSwitch />
        <button type="button" class="quiet" aria-pressed={isFull} onClick={onFullScreen}>
          <Icon name="frame" /> {t.stage.fullScreen}
        </button>
        {isHost && <Reins {...props} />}
      </div>
    </div>
  );
}

/** Which keys do something now, or why none goes on. */
function Hint({ step, lobby }: Pick<StageBarProps, 'step' | 'lobby'>) {
  const { t } = useI18n();
  const isEnough = step !== 'start' || canStart(lobby);
  const keys = step && step !== 'again' ? t.stage.keys : t.stage.fullScreenKey;
  return <p class="hint">{isEnough ? keys : t.needTwo}</p>;
}

/** Asked about, as long as there is something to lose. */
function WayOut({ game, lobby }: Pick<StageProps, 'game' | 'lobby'>) {
  const { t } = useI18n();
  if (lobby.status === 'finished') return <HomeButton game={game} class="quiet" />;
  const consequence = lobby.status === 'waiting' ? t.leaveAsHost : t.stage.leaveRunning;
  return <LeaveButton game={game} consequence={consequence} />;
}

/** What is the host's alone. */
function Reins({ game, lobby, result, onOpen, step, act }: StageBarProps) {
  const { t } = useI18n();
  const isGathering = lobby.status === 'waiting';
  const goOn = result?.isLast ? t.toPodium : t.nextRound;
  const texts: Record<Step, string> = {
    start: t.startGame,
    skip: t.hosting.skip,
    pass: goOn,
    next: goOn,
    again: t.playAgain,
  };
  return (
    <>
      {isGathering && (
        <button type="button" class="quiet" onClick={() => onOpen('settings')}>
          {t.hosting.settings}
        </button>
      )}
      <button type="button" class="quiet" onClick={() => onOpen('panel')}>
        <Icon name="dots" /> <span class="visually-hidden">{t.hosting.manage}</span>
      </button>
      {step && (
        <button
          type="button"
          class="primary"
          disabled={game.status !== 'live' || (step === 'start' && !canStart(lobby))}
          onClick={() => act?.()}
        >
          {texts[step]}
        </button>
      )}
    </>
  );
}
