// A lobby as a screen uses it: the connection, the state that follows from its events, and what the
// user does. It enters by itself: as a member, or through an invitation.
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { ApiError } from '../client/api-error.ts';
import type { LiveStatus, LobbyMessage } from '../client/live.ts';
import type { LobbyConnection, LobbyPosition } from '../client/lobby.ts';
import { client } from './api.ts';
import { monotonicMs } from './clock.ts';
import { type GameState, nextState } from './game-state.ts';
import { type HostCommands, hostCommands, isOvertaken } from './host-commands.ts';
import { forgetLobby, keepLobby, keptOrNewLobby } from './kept.ts';
import { useOwnAnswer } from './own-answer.ts';
import { persist } from './persist.ts';
import { useSession, useUser } from './session.tsx';
import { onWake } from './wake.ts';

export interface LobbyGame {
  state: GameState;
  status: LiveStatus;
  /** Why this lobby can't be entered, or not any more: the contract's code, or LEFT. */
  failure: string | null;
  /** Why the last thing the user did was refused: the contract's code. */
  refusal: string | null;
  /** The user's answer to the open question. */
  ownAnswer: number | null;
  answer(optionId: number): void;
  /** What the host can do; from anybody else it is refused. */
  host: HostCommands;
  leave(): void;
}

const EVENTS = [
  'lobby:state',
  'lobby:closed',
  'lobby:kicked',
  'game:question',
  'game:progress',
  'game:answer_result',
  'game:finished',
  // Sent again, it says anew how much time remains.
  'repeated',
] as const;

/**
 * @param onLeft the user is out, on their own wish
 * @param isWatching whether this is one more screen of somebody who is in already: it joins no lobby,
 * and answers nothing
 */
export function useLobby(code: string, onLeft: () => void, isWatching = false): LobbyGame {
  const user = useUser();
  const { ended } = useSession();
  const [kept] = useState(() => keptOrNewLobby(user.id, code));
  const [state, dispatch] = useReducer(
    (before: GameState, { event, atMs }: { event: LobbyMessage; atMs: number }) =>
      nextState(before, event, atMs),
    kept.state,
  );
  const [status, setStatus] = useState<LiveStatus>('connecting');
  const [failure, setFailure] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const live = useRef<LobbyConnection | null>(null);
  const isLeaving = useRef(false);
  /** The question that was answered since the page was loaded. */
  const clicked = useRef<string | null>(null);
  const questionId = state.round?.question.questionId ?? null;
  const [ownAnswer, keepAnswer] = useOwnAnswer(questionId);
  const isClosed = state.closed !== null;
  const isFinished = state.winnerIds !== null;

  useEffect(() => {
    if (isClosed) return;
    const stopped = new AbortController();
    const { signal } = stopped;

    function enter(position: LobbyPosition | undefined): void {
      const lobby = client.lobby(code, position);
      live.current = lobby;
      const see = (event: LobbyMessage) => dispatch({ event, atMs: monotonicMs() });
      for (const type of EVENTS) lobby.on(type, see);
      lobby.on('status', setStatus);
      lobby.on('error', (error) => {
        // An answer from before a reload is sent again to be sure: it may well have been there.
        const isNews = error.ref !== 'game:answer' || clicked.current !== null;
        if (isNews && !isOvertaken(error)) setRefusal(error.reason);
      });
      lobby.on('end', (error) => {
        if (signal.aborted) return;
        if (!error) {
          if (isLeaving.current) onLeft();
        } else if (error.code === 'UNAUTHENTICATED') ended();
        else if (error.code === 'NOT_A_MEMBER' && !isWatching) join();
        else setFailure(error.code === 'NOT_IN_LOBBY' ? 'LEFT' : error.code);
      });
    }

    function join(): void {
      const request = () => client.joinLobby(code);
      persist(request, { onWaiting: () => setStatus('reconnecting'), signal }).then(
        () => {
          if (signal.aborted) return;
          setRefusal(null);
          enter(undefined);
        },
        (thrown: unknown) =>
          setFailure(thrown instanceof ApiError ? thrown.code : 'INTERNAL_ERROR'),
      );
    }

    enter(kept.position);
    const stopWaking = onWake(() => live.current?.wake());
    return () => {
      stopped.abort();
      stopWaking();
      live.current?.close();
    };
  }, [code, kept, isClosed, ended, onLeft, isWatching]);

  // Kept over a reload, with the event from which to go on.
  useEffect(() => {
    if (!state.lobby || isLeaving.current) return;
    keepLobby(user.id, { code, state, position: live.current?.position });
  }, [state, code, user.id]);
  // The podium outlives its lobby.
  useEffect(() => {
    if (isClosed || (failure && !isFinished)) forgetLobby();
  }, [failure, isClosed, isFinished]);

  // What was sent before the page was loaded anew may have been lost.
  useEffect(() => {
    if (isWatching || status !== 'live' || questionId === null || ownAnswer === null) return;
    if (clicked.current !== questionId) live.current?.answer(questionId, ownAnswer);
  }, [status, questionId]);
  useEffect(() => setRefusal(null), [questionId]);
  const host = useMemo(
    () =>
      hostCommands((command) => {
        setRefusal(null);
        if (live.current) command(live.current);
      }),
    [],
  );

  return useMemo(
    () => ({
      state,
      status,
      failure,
      refusal,
      ownAnswer,
      answer(optionId) {
        if (questionId === null || ownAnswer !== null) return;
        keepAnswer(optionId);
        clicked.current = questionId;
        live.current?.answer(questionId, optionId);
      },
      host,
      leave() {
        isLeaving.current = true;
        forgetLobby();
        void live.current?.leave();
      },
    }),
    [state, status, failure, refusal, questionId, ownAnswer, keepAnswer, host],
  );
}
