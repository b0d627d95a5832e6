// A lobby as the screens use it: its connection, the state that follows from its events, and the user's
// commands. It connects by itself, and joins the lobby first if the user is no member.
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { LiveStatus, LobbyMessage } from '../../client/live.ts';
import type { LobbyConnection } from '../../client/lobby-connection.ts';
import { useSession, useUser } from '../entry/session.tsx';
import type { GivenAnswer } from '../game/answers.ts';
import { monotonicMs } from '../game/clock.ts';
import { type GameState, nextState } from '../game/game-state.ts';
import { useOwnAnswer } from '../game/own-answer.ts';
import { enterLobby } from './enter-lobby.ts';
import { type HostCommands, hostCommands, isStaleCommand } from './host-commands.ts';
import { clearLobby, savedOrNewLobby, saveLobby } from './saved-games.ts';

export interface LobbyGame {
  state: GameState;
  status: LiveStatus;
  /** Why there is no connection to this lobby: an error code of the contract, or LEFT. */
  failure: string | null;
  /** Why the user's last command was refused: an error code of the contract. */
  refusal: string | null;
  /** The user's answer in the open round. */
  ownAnswer: GivenAnswer | null;
  /** Whether the service is known to have the user's answer to the open round. */
  isAnswered: boolean;
  answer(given: GivenAnswer): void;
  /** @returns the user's answer to a question, if this browser knows it */
  answerTo(questionId: string): GivenAnswer | null;
  /** The service refuses these commands from anybody but the host. */
  host: HostCommands;
  leave(): void;
}

/**
 * @param onLeft called after the user has left by `leave`
 * @param isWatching whether this is a second screen of a member, which neither joins the lobby nor answers
 */
export function useLobby(code: string, onLeft: () => void, isWatching = false): LobbyGame {
  const { id: userId } = useUser();
  const { ended } = useSession();
  const [saved] = useState(() => savedOrNewLobby(userId, code));
  const [state, dispatch] = useReducer(
    (before: GameState, { event, atMs }: { event: LobbyMessage; atMs: number }) => nextState(before, event, atMs),
    saved.state,
  );
  const [status, setStatus] = useState<LiveStatus>('connecting');
  const [failure, setFailure] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [answeredId, setAnsweredId] = useState<string | null>(null);
  const live = useRef<LobbyConnection | null>(null);
  const isLeaving = useRef(false);
  const questionId = state.round?.question.questionId ?? null;
  const isSending = status === 'live' && !isWatching;
  const { answered, ...own } = useOwnAnswer(live, questionId, isSending);
  const { ownAnswer, answer, answerTo } = own;
  const isAnswered = answeredId === questionId;
  const isClosed = state.closed !== null;
  const isFinished = state.winnerIds !== null;

  useEffect(() => {
    if (isClosed) return;
    return enterLobby(code, saved.position, !isWatching, {
      onConnection(lobby) {
        live.current = lobby;
        setRefusal(null);
      },
      onEvent: (event) => dispatch({ event, atMs: monotonicMs() }),
      onAnswered: setAnsweredId,
      onStatus: setStatus,
      onError(error) {
        // An answer from before a reload or from another window is sent again: the service may have it already.
        const isResent = error.ref === 'game:answer' && answered.current === null;
        if (!isResent && !isStaleCommand(error)) setRefusal(error.reason);
      },
      onEnd(reason) {
        if (reason === null) {
          if (isLeaving.current) onLeft();
        } else if (reason === 'UNAUTHENTICATED') ended();
        else setFailure(reason === 'NOT_IN_LOBBY' ? 'LEFT' : reason);
      },
    });
  }, [code, saved, isClosed, ended, onLeft, isWatching]);
  useEffect(() => {
    if (!state.lobby || isLeaving.current) return;
    saveLobby(userId, { code, state, position: live.current?.position });
  }, [state, code, userId]);
  // The podium can still be shown after its lobby is gone.
  useEffect(() => {
    if (isClosed || (failure && !isFinished)) clearLobby();
  }, [failure, isClosed, isFinished]);
  useEffect(() => setRefusal(null), [questionId]);

  const commands = useMemo(
    () => ({
      host: hostCommands((command) => {
        setRefusal(null);
        if (live.current) command(live.current);
      }),
      leave() {
        isLeaving.current = true;
        clearLobby();
        void live.current?.leave();
      },
    }),
    [],
  );
  return useMemo(
    () => ({ state, status, failure, refusal, ownAnswer, isAnswered, answer, answerTo, ...commands }),
    [state, status, failure, refusal, ownAnswer, isAnswered, answer, answerTo, commands],
  );
}
