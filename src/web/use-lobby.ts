// A lobby as a screen uses it: the connection, the state that follows from its events, and what the
// user does. It enters by itself: as a member, or through an invitation.
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { ApiError } from '../client/api-error.ts';
import type { LiveStatus, LobbyMessage } from '../client/live.ts';
import type { LobbyConnection, LobbyPosition } from '../client/lobby.ts';
import type { ServerEvent } from '../realtime/schema.ts';
import { client } from './api.ts';
import { monotonicMs } from './clock.ts';
import { type GameState, nextState } from './game-state.ts';
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
  start(): void;
  leave(): void;
}

const EVENTS = [
  'lobby:state',
  'lobby:closed',
  'game:question',
  'game:answer_result',
  'game:finished',
  // Sent again, it says anew how much time remains.
  'repeated',
] as const;

/** @param onLeft the user is out, on their own wish */
export function useLobby(code: string, onLeft: () => void): LobbyGame {
  const user = useUser();
  const { ended } = useSession();
  const [kept] = useState(() => keptOrNewLobby(user.id, code));
  const [state, dispatch] = useReducer(
    (before: GameState, { event, atMs }: { event: ServerEvent; atMs: number }) =>
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
  const isOver = state.winnerIds !== null || state.closed !== null;

  useEffect(() => {
    if (isOver) return;
    const stopped = new AbortController();
    const { signal } = stopped;

    function enter(position: LobbyPosition | undefined): void {
      const lobby = client.lobby(code, position);
      live.current = lobby;
      const see = (event: LobbyMessage) => {
        if ('seq' in event) dispatch({ event, atMs: monotonicMs() });
      };
      for (const type of EVENTS) lobby.on(type, see);
      lobby.on('status', setStatus);
      lobby.on('error', ({ ref, reason }) => {
        // An answer from before a reload is sent again to be sure: it may well have been there.
        if (ref !== 'game:answer' || clicked.current) setRefusal(reason);
      });
      lobby.on('end', (error) => {
        if (signal.aborted) return;
        if (!error) {
          if (isLeaving.current) onLeft();
        } else if (error.code === 'UNAUTHENTICATED') ended();
        else if (error.code === 'NOT_A_MEMBER') join();
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
  }, [code, kept, isOver, ended, onLeft]);

  // Kept over a reload, with the event from which to go on.
  useEffect(() => {
    if (state.lobby) keepLobby(user.id, { code, state, position: live.current?.position });
  }, [state, code, user.id]);
  useEffect(() => {
    if (failure || state.closed) forgetLobby();
  }, [failure, state.closed]);

  // What was sent before the page was loaded anew may have been lost.
  useEffect(() => {
    if (status !== 'live' || questionId === null || ownAnswer === null) return;
    if (clicked.current !== questionId) live.current?.answer(questionId, ownAnswer);
  }, [status, questionId]);
  useEffect(() => setRefusal(null), [questionId]);

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
      start() {
        setRefusal(null);
        live.current?.start();
      },
      leave() {
        isLeaving.current = true;
        forgetLobby();
        void live.current?.leave();
      },
    }),
    [state, status, failure, refusal, questionId, ownAnswer, keepAnswer],
  );
}
