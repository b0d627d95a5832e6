// A lobby as a screen uses it: the connection, the state that follows from its events, and what the
// user does. It enters by itself: as a member, or through an invitation.
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { Since } from '../lobby/history.ts';
import type { ServerEvent } from '../realtime/schema.ts';
import { api, Problem } from './api.ts';
import { getUser } from './auth.ts';
import { monotonicMs } from './clock.ts';
import { type GameState, nextState } from './game-state.ts';
import { forgetLobby, keepLobby, keptOrNewLobby } from './kept.ts';
import { connectLive, type Live, type LiveSocket, type LiveStatus } from './live.ts';
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

const ANSWER_REF = 'answer';
const RESENT_REF = 'answer-again';

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
  const live = useRef<Live | null>(null);
  const isLeaving = useRef(false);
  const questionId = state.round?.question.questionId ?? null;
  const [ownAnswer, keepAnswer] = useOwnAnswer(questionId);
  const isOver = state.winnerIds !== null || state.closed !== null;

  useEffect(() => {
    if (isOver) return;
    const stopped = new AbortController();
    const { signal } = stopped;

    function enter(last: Since | undefined): void {
      live.current = connectLive({
        code,
        last,
        openSocket,
        isSignedIn: async () => (await getUser()) !== null,
        onEvent: (event) => dispatch({ event, atMs: monotonicMs() }),
        onStatus: setStatus,
        onRefusal({ ref, reason }) {
          // Sent again to be sure, it may well have been there already.
          if (ref !== RESENT_REF) setRefusal(reason);
        },
        onEnd(reason) {
          if (reason === 'UNAUTHENTICATED') ended();
          else if (reason === 'NOT_A_MEMBER') join();
          else if (reason !== 'NOT_IN_LOBBY') setFailure(reason);
          else if (isLeaving.current) onLeft();
          else setFailure('LEFT');
        },
      });
    }

    function join(): void {
      const request = () => api.joinLobby(code);
      persist(request, { onWaiting: () => setStatus('reconnecting'), signal }).then(
        () => !signal.aborted && enter(undefined),
        (thrown: unknown) => setFailure(thrown instanceof Problem ? thrown.code : 'INTERNAL_ERROR'),
      );
    }

    enter(kept.last);
    const stopWaking = onWake(() => live.current?.wake());
    return () => {
      stopped.abort();
      stopWaking();
      live.current?.stop();
    };
  }, [code, kept, isOver, ended, onLeft]);

  // Kept over a reload, with the event from which to go on.
  useEffect(() => {
    if (state.lobby) keepLobby(user.id, { code, state, last: live.current?.last() });
  }, [state, code, user.id]);
  useEffect(() => {
    if (failure || state.closed) forgetLobby();
  }, [failure, state.closed]);

  // What was sent before the connection broke may have been lost.
  useEffect(() => {
    if (status !== 'live' || questionId === null || ownAnswer === null) return;
    live.current?.send({ type: 'game:answer', questionId, optionId: ownAnswer, ref: RESENT_REF });
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
        live.current?.send({ type: 'game:answer', questionId, optionId, ref: ANSWER_REF });
      },
      start() {
        setRefusal(null);
        live.current?.send({ type: 'lobby:start', ref: 'start' });
      },
      leave() {
        isLeaving.current = true;
        forgetLobby();
        live.current?.send({ type: 'lobby:leave' });
        // The leaver is told nothing; asked again, the service says that we are out.
        live.current?.wake();
      },
    }),
    [state, status, failure, refusal, questionId, ownAnswer, keepAnswer],
  );
}

function openSocket(): LiveSocket {
  return new WebSocket(`${location.origin.replace('http', 'ws')}/ws`) as LiveSocket;
}
