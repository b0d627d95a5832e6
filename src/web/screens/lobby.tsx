// A lobby from the invitation to the podium: which of its screens is shown, and what is said over
// all of them.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { parseCode } from '../../lobby/rules.ts';
import { ConnectionBanner } from '../components/connection-banner.tsx';
import type { HostWindow } from '../components/host-dialog.tsx';
import { JoinForm } from '../components/join-form.tsx';
import { lazy } from '../components/lazy.tsx';
import { Link } from '../components/link.tsx';
import { OnItsWay } from '../components/on-its-way.tsx';
import { Page } from '../components/page.tsx';
import { Podium } from '../components/podium.tsx';
import { Round } from '../components/round.tsx';
import { RoundResult } from '../components/round-result.tsx';
import { Waiting } from '../components/waiting.tsx';
import { WaitingRoom } from '../components/waiting-room.tsx';
import { phaseOf, playsIn } from '../game-state.ts';
import { useI18n } from '../i18n/index.tsx';
import { navigate } from '../router.ts';
import { useUser } from '../session.tsx';
import { useHostRole } from '../use-host-role.ts';
import { type LobbyGame, useLobby } from '../use-lobby.ts';
import { useIsBefore } from '../use-now.ts';

const HostPanel = lazy(() => import('../components/host-panel.tsx'));
const LobbySettings = lazy(() => import('../components/lobby-settings.tsx'));
const Stage = lazy(() => import('../stage/stage.tsx'), OnItsWay);

interface LobbyScreenProps {
  /** As it stands in the address, however it was typed. */
  code: string;
  /** For a whole room to look at: it only shows. */
  isSecondScreen?: boolean;
}

export function LobbyScreen({ code: written, isSecondScreen = false }: LobbyScreenProps) {
  const code = parseCode(written);
  if (!code) return <NoLobby reason="LOBBY_NOT_FOUND" code={written} />;
  return <EnteredLobby code={code} isSecondScreen={isSecondScreen} />;
}

function EnteredLobby({ code, isSecondScreen }: Required<LobbyScreenProps>) {
  const { t } = useI18n();
  const goHome = useCallback(() => navigate('/'), []);
  const game = useLobby(code, goHome, isSecondScreen);
  const { lobby } = game.state;
  const [opened, setOpened] = useState<HostWindow | null>(null);
  const { isHost, isNew } = useHostRole(lobby);
  const close = () => setOpened(null);
  // What was opened was for what was on the screen.
  useEffect(close, [lobby?.status]);
  // What was won stays on the screen when the lobby is gone.
  if (game.failure && !game.state.winnerIds) return <NoLobby reason={game.failure} code={code} />;
  return (
    <>
      <ConnectionBanner status={game.status} isEntered={lobby !== null} />
      {isNew && !isSecondScreen && <p class="connection is-news">{t.hosting.now}</p>}
      <Phase key={game.state.gameId} {...{ game, isSecondScreen }} onOpen={setOpened} />
      {/* Beside the phases: a host who would rather present sees another screen behind the settings. */}
      {isHost && lobby && opened === 'settings' && (
        <LobbySettings game={game} lobby={lobby} onClosed={close} />
      )}
      {isHost && lobby && opened === 'panel' && (
        <HostPanel game={game} lobby={lobby} onClosed={close} />
      )}
    </>
  );
}

interface PhaseProps {
  game: LobbyGame;
  isSecondScreen: boolean;
  onOpen(window: HostWindow): void;
}

function Phase({ game, isSecondScreen, onOpen }: PhaseProps) {
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
  if (!lobby) return <Waiting text={t.joining} />;
  const isResult = phase === 'intermission' || (isRevealing && last?.number !== passedRound);
  const result = isResult && last ? last : null;
  const onManage = () => onOpen('panel');
  const onPass = () => setPassedRound(last?.number ?? 0);
  if (isSecondScreen || !playsIn(lobby, user.id))
    return <Stage {...{ game, lobby, result, onPass, onOpen, isSecondScreen }} />;
  if (result)
    return <RoundResult key={result.number} {...{ game, lobby, result, onPass, onManage }} />;
  switch (phase) {
    case 'waiting':
      return <WaitingRoom game={game} lobby={lobby} onSettings={() => onOpen('settings')} />;
    case 'round':
      return <Round {...{ game, lobby, onManage }} />;
    case 'finished':
      return <Podium game={game} lobby={lobby} />;
    default:
      return <Waiting text={t.judging} />;
  }
}

/** Why there is no game here, in words. @param props.code as it was given: it may be mistyped */
function NoLobby({ reason, code }: { reason: string; code: string }) {
  const { t } = useI18n();
  const closed = Object.entries(t.closedReasons).find(([key]) => key === reason)?.[1];
  const [title, text] = closed
    ? [t.closed, closed]
    : reason === 'LEFT'
      ? [t.left, t.leftMore]
      : reason === 'COMMITMENT_BROKEN'
        ? [t.seal.broken, t.errors[reason]]
        : [t.cannotJoin, t.errors[reason] ?? t.errors.INTERNAL_ERROR];
  return (
    <Page title={title}>
      <p class="lead">{text}</p>
      {reason === 'LOBBY_NOT_FOUND' && (
        <div class="card">
          <JoinForm typed={code} />
        </div>
      )}
      <div class="actions">
        <Link to="/" class="button primary">
          {t.home}
        </Link>
      </div>
    </Page>
  );
}
