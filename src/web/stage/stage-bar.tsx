// The bar at the bottom of the projector's screen: the lobby's code and the host's buttons.
import type { Lobby } from '../../lobby/schema.ts';
import { SoundSwitch } from '../effects/effects.tsx';
import { useUser } from '../entry/session.tsx';
import type { ResolvedRound } from '../game/game-state.ts';
import { askedIn, hardestTerms } from '../game/ranking.ts';
import { useI18n } from '../i18n/index.tsx';
import { HardestAsHomework, hardestName, saveList } from '../lists/hardest-words.tsx';
import type { HostDialogName } from '../lobby/host-panel.tsx';
import { useInvitationUrl } from '../lobby/invitation.tsx';
import { HomeButton, LeaveButton } from '../lobby/leave-button.tsx';
import type { LobbyGame } from '../lobby/use-lobby.ts';
import { canStart } from '../lobby/waiting-room.tsx';
import { ActionButton, Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/link.tsx';
import { useWordsName } from '../words/names.ts';
import type { HostAction } from './host-action.ts';
import { StepButton, useActionTexts } from './next-step.tsx';

export interface StageBarProps {
  game: LobbyGame;
  lobby: Lobby;
  /** The round whose result is to be shown. */
  result: ResolvedRound | null;
  isSecondScreen: boolean;
  /** Identifies what is on the screen. */
  scene: string;
  action: HostAction | null;
  onAction: (() => void) | null;
  onOpen(dialog: HostDialogName): void;
  isFull: boolean;
  onFullScreen(): void;
  isDark: boolean;
  onDark(): void;
}

export function StageBar(props: StageBarProps) {
  const { game, lobby, isSecondScreen, action, isFull, onFullScreen, isDark, onDark } = props;
  const { t } = useI18n();
  const isHost = lobby.hostId === useUser().id;
  const url = useInvitationUrl(lobby.code);
  return (
    <div class="stage-bar row apart">
      <div>
        {lobby.status !== 'waiting' && (
          <p translate={false}>
            <span class="on-wide">{new URL(url).host} · </span>
            <strong>{lobby.code}</strong>
          </p>
        )}
        <Hint action={action} lobby={lobby} />
      </div>
      <div class="stage-actions row apart">
        {!isSecondScreen && <LeaveControl game={game} lobby={lobby} />}
        <SoundSwitch isShort />
        <Button class="quiet" icon="dark" label={t.stage.dark} isIcon aria-pressed={isDark} onClick={onDark} />
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

/** Names the keys that work now, or says why the game can't start. */
function Hint({ action, lobby }: Pick<StageBarProps, 'action' | 'lobby'>) {
  const { t } = useI18n();
  const isEnough = action !== 'start' || canStart(lobby);
  const keys = action && action !== 'again' ? t.stage.keys : t.stage.fullScreenKey;
  // A phone has no keys.
  return isEnough ? <p class="hint on-wide">{keys}</p> : <p class="hint">{t.needTwo}</p>;
}

/** Leaving asks for a confirmation unless the game is over. */
function LeaveControl({ game, lobby }: Pick<StageBarProps, 'game' | 'lobby'>) {
  if (lobby.status === 'finished') return <HomeButton game={game} class="quiet" />;
  return <LeaveButton game={game} lobby={lobby} />;
}

function HostControls({ game, lobby, result, scene, onOpen, action, onAction }: StageBarProps) {
  const { t } = useI18n();
  const texts = useActionTexts(result);
  return (
    <>
      {action === 'again' && (
        <div class="stage-ways">
          <ButtonLink to={`/games/${lobby.gameId}`} class="quiet" label={t.games.review} />
          {lobby.gameId && <HardestAsHomework gameId={lobby.gameId} class="quiet" />}
          <HardestAgain game={game} lobby={lobby} />
        </div>
      )}
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
