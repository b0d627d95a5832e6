// A lobby as the screens use it: its connection, the state that follows from its events, and the user's commands. It
// connects by itself, and joins the lobby first if the user is no member.
import type { RefObject } from 'preact';
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import type { LiveStatus, LobbyMessage } from '../../client/live.ts';
import type { LobbyConnection, LobbyPosition } from '../../client/lobby.ts';
import type { ErrorMessage } from '../../client/types.ts';
import { client } from '../api.ts';
import { useSession, useUser } from '../entry/session.tsx';
import type { GivenAnswer } from '../game/answers.ts';
import { type GameState, nextState } from '../game/game-state.ts';
import { retry } from '../ui/retry.ts';
import { load, onSavedInOtherTab, save } from '../ui/storage.ts';
import { clearLobby, savedOrNewLobby, saveLobby } from './saved-games.ts';

export interface LobbyGame {
  state: GameState;
  status: LiveStatus;
  /** Whether a stream and requests take the place of a WebSocket, which does not get through. */
  isOnStream: boolean;
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
  const [isOnStream, setOnStream] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const live = useRef<LobbyConnection | null>(null);
  const isLeaving = useRef(false);
  const questionId = state.round?.question.questionId ?? null;
  const isSending = status === 'live' && !isWatching;
  const { answered, ...own } = useOwnAnswer(live, questionId, isSending);
  const { ownAnswer, isAnswered, answer, answerTo } = own;
  const isClosed = state.closed !== null;
  const isFinished = state.winnerIds !== null;

  useEffect(() => {
    if (isClosed) return;
    return enterLobby(code, saved.position, !isWatching, {
      onConnection(lobby) {
        live.current = lobby;
        setRefusal(null);
      },
      onEvent: (event) => dispatch({ event, atMs: performance.now() }),
      onStatus(next) {
        setStatus(next);
        if (next === 'live') setOnStream(live.current?.transport === 'sse');
      },
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
    () => ({ state, status, isOnStream, failure, refusal, ownAnswer, isAnswered, answer, answerTo, ...commands }),
    [state, status, isOnStream, failure, refusal, ownAnswer, isAnswered, answer, answerTo, commands],
  );
}

type OwnAnswer = GivenAnswer & { questionId: string };

const KEY = 'own-answers';

/** The number of answers that are stored: as many as a game has rounds at most. */
const KEPT = 50;

const loadAnswers = () => load<OwnAnswer[]>('device', KEY) ?? [];

/**
 * The user's answers to the questions of a game, shared by all windows of this browser and stored for a reload. The
 * service accepts the first answer, and the client library sends it until the service has it. What others have typed is sent to nobody until the game is over.
 * @param live the current connection
 * @param questionId the open question; null if there is none
 * @param isSending whether the connection is live and this screen may answer
 * @returns the user's answer to the open question, whether the service has it, a function that answers it, and one that finds the answer to an
 * earlier question, or null. The ref has the open question if it was answered in this window
 */
function useOwnAnswer(live: RefObject<LobbyConnection | null>, questionId: string | null, isSending: boolean) {
  const [stored, setStored] = useState(loadAnswers);
  const [answeredId, setAnsweredId] = useState<string | null>(null);
  const answered = useRef<string | null>(null);
  const answerTo = useCallback(
    (id: string): GivenAnswer | null => stored.find((one) => one.questionId === id) ?? null,
    [stored],
  );
  const ownAnswer = questionId === null ? null : answerTo(questionId);
  useEffect(() => onSavedInOtherTab(KEY, () => setStored(loadAnswers())), []);
  useEffect(() => {
    answered.current = null;
  }, [questionId]);
  // An answer from before a reload or from another window may have been lost.
  useEffect(() => {
    if (!isSending || questionId === null || ownAnswer === null) return;
    if (answered.current !== questionId) send(live.current, questionId, ownAnswer, setAnsweredId);
  }, [isSending, questionId, ownAnswer]);
  const answer = useCallback(
    (given: GivenAnswer) => {
      if (questionId === null || ownAnswer !== null) return;
      answered.current = questionId;
      const next = [...stored, { questionId, ...given }].slice(-KEPT);
      save('device', KEY, next);
      setStored(next);
      send(live.current, questionId, given, setAnsweredId);
    },
    [questionId, ownAnswer, stored],
  );
  return { ownAnswer, isAnswered: answeredId === questionId, answer, answerTo, answered };
}

/** @param onAnswered called when the service has this answer, or one that it got before */
function send(
  live: LobbyConnection | null,
  questionId: string,
  given: GivenAnswer,
  onAnswered: (questionId: string) => void,
): void {
  const sent = 'text' in given ? live?.answerText(questionId, given.text) : live?.answer(questionId, given.optionId);
  sent?.then(
    () => onAnswered(questionId),
    ({ code }: ApiError) => code === 'ALREADY_ANSWERED' && onAnswered(questionId),
  );
}

type HostCommand = 'start' | 'next' | 'end' | 'again' | 'kick' | 'lock' | 'configure';
export type HostCommands = { [Name in HostCommand]: (...given: Parameters<LobbyConnection[Name]>) => void };

/**
 * The host's commands, sent over the lobby's current connection.
 * @param say runs a command with the current connection, if there is one
 */
function hostCommands(say: (command: (lobby: LobbyConnection) => void) => void) {
  return {
    start: () => say((lobby) => lobby.start()),
    next: (round, phase) => say((lobby) => lobby.next(round, phase)),
    end: () => say((lobby) => lobby.end()),
    again: () => say((lobby) => lobby.again()),
    kick: (userId) => say((lobby) => lobby.kick(userId)),
    lock: (locked) => say((lobby) => lobby.lock(locked)),
    configure: (change) => say((lobby) => lobby.configure(change)),
  } satisfies HostCommands;
}

const STALE_REASONS: ReadonlySet<string> = new Set<ErrorMessage['reason']>([
  'ROUND_CLOSED',
  'NOT_IN_GAME',
  'LOBBY_NOT_FINISHED',
  'LOBBY_NOT_WAITING',
  'PLAYER_NOT_FOUND',
]);

/** @returns whether the clock, a second click or another window has done the same before the command */
function isStaleCommand({ ref, reason }: ErrorMessage): boolean {
  return ref !== 'game:answer' && STALE_REASONS.has(reason);
}

const EVENTS = [
  'lobby:state',
  'lobby:closed',
  'lobby:kicked',
  'game:question',
  'game:progress',
  'game:answer_result',
  'game:finished',
  // A repeated event has the time that remains now.
  'repeated',
] as const;

interface LobbyHandlers {
  /** Called with each new connection, before its first event. */
  onConnection(lobby: LobbyConnection): void;
  onEvent(event: LobbyMessage): void;
  onStatus(status: LiveStatus): void;
  onError(error: ErrorMessage): void;
  /** @param failure an error code of the contract; null if the user has left */
  onEnd(failure: string | null): void;
}

/**
 * @param position the last event that is known from before a reload
 * @param canJoin whether a user who is no member joins
 * @returns a function that ends the connection
 */
export function enterLobby(
  code: string,
  position: LobbyPosition | undefined,
  canJoin: boolean,
  handlers: LobbyHandlers,
): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  let current: LobbyConnection;

  function connect(from: LobbyPosition | undefined): void {
    current = client.lobby(code, from);
    handlers.onConnection(current);
    for (const type of EVENTS) current.on(type, handlers.onEvent);
    current.on('status', handlers.onStatus);
    current.on('error', handlers.onError);
    current.on('end', (error) => {
      if (signal.aborted) return;
      if (error?.code === 'NOT_A_MEMBER' && canJoin) join();
      else handlers.onEnd(error?.code ?? null);
    });
  }

  function join(): void {
    const request = () => client.joinLobby(code);
    retry(request, { onWaiting: () => handlers.onStatus('reconnecting'), signal }).then(
      () => {
        if (!signal.aborted) connect(undefined);
      },
      (thrown: unknown) => handlers.onEnd(thrown instanceof ApiError ? thrown.code : 'INTERNAL_ERROR'),
    );
  }

  connect(position);
  const stopWaking = onWake(() => current.wake());
  return () => {
    stopped.abort();
    stopWaking();
    current.close();
  };
}

/**
 * The moments at which a connection may have been lost without an event: the network came or went, the screen was
 * off, or the page was frozen.
 * @returns a function that stops listening
 */
function onWake(wake: () => void): () => void {
  const seen = () => {
    if (document.visibilityState === 'visible') wake();
  };
  const events = ['online', 'offline', 'pageshow'];
  for (const event of events) addEventListener(event, wake);
  document.addEventListener('visibilitychange', seen);
  return () => {
    for (const event of events) removeEventListener(event, wake);
    document.removeEventListener('visibilitychange', seen);
  };
}
