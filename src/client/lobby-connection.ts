// The interface of a lobby's connection for programs. [contract 15]
import type { ApiError } from './api-error.ts';
import type { Commitment } from './commitment.ts';
import type { RequestOptions } from './http.ts';
import type { EventPosition, LiveSocket, LiveStatus, LobbyMessage } from './live.ts';
import type { LobbyChange, ServerMessage } from './types.ts';

/** Plain data from which a later client resumes, after a reload for example. */
export interface LobbyPosition extends EventPosition {
  /** The commitment of the open question. */
  commitment?: Commitment | undefined;
}

/** The events that `on` listens to, by type. */
export type LobbyEvents = {
  [T in ServerMessage['type']]: Extract<ServerMessage, { type: T }>;
} & {
  /** The status of the connection has changed; `live` comes after every connect. */
  status: LiveStatus;
  /** An event that was given before was sent again, with the time that remains now. */
  repeated: LobbyMessage;
  /**
   * The service has the answer to the open question, or another one that this user gave first. It comes a second or
   * two after the answer, unless the round ends before.
   */
  answered: { questionId: string };
  /** The connection has ended: null, or why the lobby can't be entered or a judgement not be trusted. */
  end: ApiError | null;
};

export interface LobbyConnection extends AsyncIterable<ServerMessage> {
  /** @returns removes the listener */
  on<T extends keyof LobbyEvents>(type: T, listener: (event: LobbyEvents[T]) => void): () => void;
  /**
   * Reads the events from the beginning on, those that were read already excepted. Leaving the loop doesn't
   * leave the lobby. The loop ends after `close`, `leave`, `lobby:closed` and `lobby:kicked`.
   * @throws ApiError when the lobby can't be entered; COMMITMENT_BROKEN
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<ServerMessage>;
  /** Answers the open question. The first answer counts. */
  answer(questionId: string, optionId: number): void;
  /** Answers the open question of a lobby whose `answerMode` is `typed`. The first answer counts. */
  answerText(questionId: string, text: string): void;
  /** Starts the game. Only the host can call this method and the following ones, up to `configure`. */
  start(): void;
  /** Ends an open phase: this round, or the intermission after it. */
  next(round: number, phase: 'round' | 'intermission'): void;
  /** Ends the game, with the scores so far. */
  end(): void;
  /** Opens a finished lobby for another game with the same players. */
  again(): void;
  /** Removes a player for good. */
  kick(userId: string): void;
  /** Lets nobody else join, or lets others join again. */
  lock(locked: boolean): void;
  /** Changes a waiting lobby; what isn't named stays. */
  configure(change: LobbyChange): void;
  /** Leaves the lobby for good. @returns when the service has confirmed it, and the connection is closed */
  leave(): Promise<void>;
  /** Ends the connection; the player stays a member of the lobby. */
  close(): void;
  /** The network or the screen is back: reconnects without a delay, or probes the socket. */
  wake(): void;
  readonly status: LiveStatus;
  /** Where a later client resumes: after the last event that was given. */
  readonly position: LobbyPosition | undefined;
}

export interface LobbyOptions {
  code: string;
  position?: LobbyPosition | undefined;
  openSocket(): LiveSocket;
  /** @param signal aborts the request */
  isSignedIn(signal: RequestOptions['signal']): Promise<boolean>;
}
