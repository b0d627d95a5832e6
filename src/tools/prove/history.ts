// The record of a lobby that the checker judges: everything that each client sent and received, and what
// the service stored. It is plain data, so that a run can write it to a file.
import type {
  ClientMessage,
  ErrorMessage,
  GameResult,
  ListRequest,
  LobbySettings,
  ServerEvent,
  ServerMessage,
} from '../../client/types.ts';

/** The result of a round, as every client receives it. */
export type AnswerResultEvent = Extract<ServerEvent, { type: 'game:answer_result' }>;

interface OnConnection {
  /** When it was sent or has arrived, by this machine's clock, ms since the epoch. */
  atMs: number;
  /** Which of its client's connections carried it, from 0. */
  connection: number;
}

export interface Received extends OnConnection {
  event: ServerEvent;
}

export interface Sent extends OnConnection {
  message: ClientMessage;
  /** The error that the service returned, or null if none came. */
  refusal: Pick<ErrorMessage, 'code' | 'reason'> | null;
  /** What the service returned with the message's `ref`. */
  replies: ('ack' | 'error')[];
}

/** A message that the service sends to one socket only. It has no sequence number. */
export interface PrivateMessage extends OnConnection {
  message: Extract<ServerMessage, { type: 'lobby:kicked' | 'game:progress' }>;
  /** The number of events received before this message, over all connections. */
  after: number;
}

/** One device of a user. */
export interface Client {
  user: { id: string; name: string };
  /** Every event, over all connections, in the order of arrival. */
  received: Received[];
  asides: PrivateMessage[];
  sent: Sent[];
  connections: { wantedAtMs: number; openedAtMs: number | null; closedAtMs: number | null }[];
  /** The error that ended the lobby for this client, or null. */
  failure: { code: string; message: string } | null;
}

export type StoredGame = Pick<GameResult, 'gameId' | 'scores' | 'winnerIds' | 'finishedAt' | 'rounds'>;

/** A request to enter the lobby, from its first try to its answer. */
export interface Join {
  userId: string;
  fromMs: number;
  toMs: number;
  /** The error code, or null if the user became a member. */
  refusal: string | null;
}

export type ListTerm = ListRequest['terms'][number];

export interface LobbyHistory {
  lobbyId: string;
  code: string;
  settings: Pick<LobbySettings, 'scoring'> &
    Partial<Pick<LobbySettings, 'hostPlays' | 'lateJoin' | 'intermissionMs' | 'compact' | 'waitFor'>>;
  /** The terms that questions are drawn from, or null if the run does not know them. */
  words: readonly ListTerm[] | null;
  clients: readonly Client[];
  /** The first one is the lobby's creation by its host. */
  joins: readonly Join[];
  /** Ids of the users who sent `lobby:leave`. */
  leaving: readonly string[];
  /** Ids of the users for whom the host sent `lobby:kick`. */
  kicked: readonly string[];
  /** The stored results, read after the last game. */
  stored: readonly StoredGame[];
  /** Ids of the lobby's members after the last game. */
  members: readonly string[];
}

/** The record before the run has read what the service stored. */
export type PlayedLobby = Omit<LobbyHistory, 'stored' | 'members'>;

/** A period by this machine's clock, ms since the epoch. */
export interface Span {
  what: string;
  fromMs: number;
  toMs: number;
}

export interface Violation {
  kind: string;
  lobbyId?: string;
  code?: string;
  /** The event that is wrong: its type and number. */
  event?: string;
  text: string;
}
