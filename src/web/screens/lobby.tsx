// A lobby from the invitation to the podium: which of its screens is shown, and what is said over
// all of them.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { parseCode } from '../../lobby/rules.ts';
import { announce } from '../announce.tsx';
import { ConnectionBanner } from '../components/connection-banner.tsx';
import { JoinForm } from '../components/join-form.tsx';
import { lazy } from '../components/lazy.tsx';
import { Link } from '../components/link.tsx';
import { Page } from '../components/page.tsx';
import { Podium } from '../components/podium.tsx';
import { Round } from '../components/round.tsx';
import { RoundResult } from '../components/round-result.tsx';
import { Waiting } from '../components/waiting.tsx';
import { WaitingRoom } from '../components/waiting-room.tsx';
import { type GameState, phaseOf } from '../game-state.ts';
import { useI18n } from '../i18n/index.tsx';
import { navigate } from '../router.ts';
import { useUser } from '../session.tsx';
import { type LobbyGame, useLobby } from '../use-lobby.ts';
import { useIsBefore } from '../use-now.ts';

const HostPanel = lazy(() => import('../components/host-panel.tsx'));

/** @param code as it stands in the address, however it was typed */
export function LobbyScreen({ code: written }: { code: string }) {
  const code = parseCode(written);
  return code ? <EnteredLobby code={code} /> : <NoLobby reason="LOBBY_NOT_FOUND" code={written} />;
}

function EnteredLobby({ code }: { code: string }) {
  const goHome = useCallback(() => navigate('/'), []);
  const game = useLobby(code, goHome);
  const { lobby } = game.state;
  const [isManaging, setManaging] = useState(false);
  const isHost = useHostRole(game.state);
  const isRunning = lobby?.status === 'running';
  // The next game begins without it.
  useEffect(() => {
    if (!isRunning) setManaging(false);
  }, [isRunning]);
  // What was won stays on the screen when the lobby is gone.
  if (game.failure && !game.state.winnerIds) return <NoLobby reason={game.failure} code={code} />;
  return (
    <>
      <ConnectionBanner status={game.status} isEntered={game.state.lobby !== null} />
      <Phase key={game.state.gameId} game={game} onManage={() => setManaging(true)} />
      {isManaging && isHost && isRunning && lobby && (
        <HostPanel game={game} lobby={lobby} onClosed={() => setManaging(false)} />
      )}
    </>
  );
}

function Phase({ game, onManage }: { game: LobbyGame; onManage(): void }) {
  const { t } = useI18n();
  const { state } = game;
  const [passedRound, setPassedRound] = useState(0);
  const last = state.resolved.at(-1);
  const isRevealing = useIsBefore(state.revealUntilMs);
  const { lobby } = state;
  const phase = phaseOf(state);
  if (phase === 'closed')
    return <NoLobby reason={state.closed === 'kicked' ? 'KICKED' : (state.closed ?? '')} code="" />;
  if (!lobby) return <Waiting text={t.joining} />;
  const isResult = isRevealing && last?.number !== passedRound;
  if (last && (phase === 'intermission' || isResult)) {
    const pass = () => setPassedRound(last.number);
    return (
      <RoundResult key={last.number} {...{ game, lobby, onManage }} result={last} onPass={pass} />
    );
  }
  switch (phase) {
    case 'waiting':
      return <WaitingRoom game={game} lobby={lobby} />;
    case 'round':
      return <Round {...{ game, lobby, onManage }} />;
    case 'finished':
      return <Podium game={game} lobby={lobby} />;
    default:
      return <Waiting text={t.judging} />;
  }
}

/** The role passes on when a host leaves. @returns whether it is the user's */
function useHostRole({ lobby }: GameState): boolean {
  const { t } = useI18n();
  const user = useUser();
  const hostId = lobby?.hostId;
  const before = useRef(hostId);
  useEffect(() => {
    if (before.current && hostId === user.id && before.current !== hostId) announce(t.hosting.now);
    before.current = hostId;
  }, [hostId, user.id, t]);
  return hostId === user.id;
}

/** Why there is no game here, in words. @param props.code as it was given: it may be mistyped */
function NoLobby({ reason, code }: { reason: string; code: string }) {
  const { t } = useI18n();
  const closed = Object.entries(t.closedReasons).find(([key]) => key === reason)?.[1];
  const [title, text] = closed
    ? [t.closed, closed]
    : reason === 'LEFT'
      ? [t.left, t.leftMore]
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
