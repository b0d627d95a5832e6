// Selects the screen of a lobby, from the invitation to the podium, and shows the host's dialogs over it.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { LiveStatus } from '../../client/live.ts';
import { parseCode } from '../../lobby/rules.ts';
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import type { LobbyView } from '../frame/routes.ts';
import { useIsBefore } from '../game/clock.ts';
import { phaseOf, playsIn } from '../game/game-state.ts';
import { CannotEnter } from '../home/join-form.tsx';
import { useI18n } from '../i18n/index.tsx';
import { lazy, lazyScreen } from '../ui/lazy.tsx';
import { announce, Spinner } from '../ui/page.tsx';
import type { HostDialogName } from './host-panel.tsx';
import { useHostRole } from './player-list.tsx';
import { type LobbyGame, useLobby } from './use-lobby.ts';
import { WaitingRoom } from './waiting-room.tsx';

const HostPanel = lazy(async () => (await import('./host-panel.tsx')).HostPanel);
const LobbySettings = lazy(async () => (await import('./lobby-settings.tsx')).LobbySettings);
const Remote = lazyScreen(async () => (await import('../stage/remote.tsx')).Remote);
const RunningGame = lazyScreen(async () => (await import('../game/running-game.tsx')).RunningGame);
const Stage = lazyScreen(async () => (await import('../stage/stage.tsx')).Stage);

interface LobbyScreenProps {
  /** The code from the address; it may be mistyped. */
  code: string;
  view: LobbyView;
}

export function LobbyScreen({ code: typedCode, view }: LobbyScreenProps) {
  const code = parseCode(typedCode);
  const [turn, setTurn] = useState(0);
  if (!code) return <NoLobby reason="LOBBY_NOT_FOUND" code={typedCode} />;
  return <EnteredLobby key={turn} code={code} view={view} onRetry={() => setTurn(turn + 1)} />;
}

function EnteredLobby({ code, view, onRetry }: LobbyScreenProps & { onRetry(): void }) {
  const { t } = useI18n();
  const goHome = useCallback(() => navigate('/'), []);
  const game = useLobby(code, goHome, view !== 'lobby');
  const { lobby } = game.state;
  const [opened, setOpened] = useState<HostDialogName | null>(null);
  const { isHost, isNew } = useHostRole(lobby);
  const close = () => setOpened(null);
  // A dialog belongs to the screen on which it was opened.
  useEffect(close, [lobby?.status]);
  // The network may be away when the game starts.
  useEffect(RunningGame.preload, []);
  // The podium stays on the screen when the lobby is gone.
  if (game.failure && !game.state.winnerIds) return <NoLobby reason={game.failure} code={code} onRetry={onRetry} />;
  return (
    <>
      <ConnectionBanner status={game.status} isEntered={lobby !== null} isOnStream={game.isOnStream} />
      {isNew && view === 'lobby' && <p class="connection">{t.hosting.now}</p>}
      <Phase key={game.state.gameId} game={game} view={view} onOpen={setOpened} />
      {/* The dialogs are outside of Phase, since a host who chooses to present gets another screen below them. */}
      {isHost && lobby && opened === 'settings' && <LobbySettings game={game} lobby={lobby} onClosed={close} />}
      {isHost && lobby && opened === 'panel' && <HostPanel game={game} lobby={lobby} onClosed={close} />}
    </>
  );
}

function Phase({ game, view, onOpen }: { game: LobbyGame; view: LobbyView; onOpen(window: HostDialogName): void }) {
  const { t } = useI18n();
  const user = useUser();
  const { state } = game;
  const [passedRound, setPassedRound] = useState(0);
  const last = state.resolved.at(-1);
  const isRevealing = useIsBefore(state.revealUntilMs);
  const { lobby } = state;
  const phase = phaseOf(state);
  if (phase === 'closed')
    return <NoLobby reason={state.closed === 'kicked' ? 'KICKED' : (state.closed ?? '')} code="" />;
  if (!lobby) return <Spinner text={t.joining} />;
  const isResult = phase === 'intermission' || (isRevealing && last?.number !== passedRound);
  const result = isResult && last ? last : null;
  const shown = { game, lobby, result, onPass: () => setPassedRound(last?.number ?? 0) };
  if (view === 'remote') return <Remote game={game} lobby={lobby} onOpen={onOpen} />;
  const isSecondScreen = view === 'screen';
  if (isSecondScreen || !playsIn(lobby, user.id))
    return <Stage {...shown} onOpen={onOpen} isSecondScreen={isSecondScreen} />;
  if (!result && phase === 'waiting')
    return <WaitingRoom game={game} lobby={lobby} onSettings={() => onOpen('settings')} />;
  return <RunningGame {...shown} onManage={() => onOpen('panel')} />;
}

/**
 * Explains why there is no game.
 * @param props.reason a code of the contract, a reason of `lobby:closed`, or LEFT
 * @param props.code the code as it was typed
 */
function NoLobby({ reason, code, onRetry }: { reason: string; code: string; onRetry?: () => void }) {
  const { t } = useI18n();
  const closed = Object.entries(t.closedReasons).find(([key]) => key === reason)?.[1];
  const [title, text] = closed
    ? [t.closed, closed]
    : reason === 'LEFT'
      ? [t.left, t.leftMore]
      : reason === 'COMMITMENT_BROKEN'
        ? [t.seal.broken, t.errors[reason]]
        : [t.cannotJoin, t.errors[reason] ?? t.errors.INTERNAL_ERROR];
  const mistyped = reason === 'LOBBY_NOT_FOUND' ? code : null;
  // A removal and a broken seal are final.
  const isFinal = reason === 'KICKED' || reason === 'COMMITMENT_BROKEN';
  return <CannotEnter title={title} reason={text ?? ''} code={mistyped} onRetry={isFinal ? undefined : onRetry} />;
}

interface ConnectionBannerProps {
  status: LiveStatus;
  /** Whether the lobby's state is known, so that `connecting` means a reconnection. */
  isEntered: boolean;
  isOnStream: boolean;
}

/** Shows that the connection is lost, or by what the game goes on without a WebSocket, and announces to screen readers when it is lost and restored. */
function ConnectionBanner({ status, isEntered, isOnStream }: ConnectionBannerProps) {
  const { t } = useI18n();
  const wasLost = useRef(false);
  const isLost = status === 'reconnecting' || (status === 'connecting' && isEntered);
  useEffect(() => {
    if (isLost) announce(t.reconnecting);
    else if (isOnStream) announce(t.onStream);
    else if (wasLost.current) announce(t.reconnected);
    wasLost.current = isLost;
  }, [isLost, isOnStream, t]);
  if (!isLost) return isOnStream && <p class="connection">{t.onStream}</p>;
  return (
    <p class="connection">
      <span class="spinner" aria-hidden="true" />
      {t.reconnecting}
    </p>
  );
}
