// The record of a lobby that the checker judges: everything that each client sent and received, and what
// the service stored. It is plain data, so that a run can write it to a file.
import type {
  AnswerResult,
  AssignmentResults,
  AttemptSession,
  ClientMessage,
  ErrorMessage,
  GameResult,
  ListRequest,
  LobbySettings,
  Question,
  ServerEvent,
  ServerMessage,
} from '../../client/types.ts';

/** The result of a round, as every client receives it. */
export type AnswerResultEvent = Extract<ServerEvent, { type: 'game:answer_result' }>;

/** An event with the local time of its arrival. */
export interface Received {
  event: ServerEvent;
  atMs: number;
  /** Which of its client's connections brought it, from 0. */
  connection: number;
}

export interface Sent {
  message: ClientMessage;
  atMs: number;
  connection: number;
  /** The error that the service returned, or null if none came. */
  refusal: Pick<ErrorMessage, 'code' | 'reason'> | null;
  /** What the service returned with the message's `ref`. */
  replies: ('ack' | 'error')[];
}

/** A message that the service sends to one socket only. It has no sequence number. */
export interface PrivateMessage {
  message: Extract<ServerMessage, { type: 'lobby:kicked' | 'game:progress' }>;
  atMs: number;
  connection: number;
  /** The number of events received before this message, over all connections. */
  after: number;
}

export interface ConnectionTimes {
  wantedAtMs: number;
  openedAtMs: number | null;
  closedAtMs: number | null;
}

export interface Client {
  user: { id: string; name: string };
  /** Every event, over all connections, in the order of arrival. */
  received: readonly Received[];
  asides: readonly PrivateMessage[];
  sent: readonly Sent[];
  connections: readonly ConnectionTimes[];
}

/** A stored result. `rounds` is absent if the run did not read them. */
export type StoredGame = Pick<GameResult, 'gameId' | 'scores' | 'winnerIds' | 'finishedAt'> &
  Partial<Pick<GameResult, 'rounds'>>;

/** An attempt to join a lobby that may refuse it. */
export interface Attempt {
  userId: string;
  fromMs: number;
  /** The error code, or null if the join succeeded. */
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
  /** Ids of the users whose join was acknowledged. */
  joined: readonly string[];
  /** Ids of the users who sent `lobby:leave`. */
  leaving: readonly string[];
  /** Ids of the users for whom the host sent `lobby:kick`. */
  kicked: readonly string[];
  attempts: readonly Attempt[];
  /** The stored results, read after the last game. */
  stored: readonly StoredGame[];
  /** Ids of the lobby's members after the last game. */
  members: readonly string[];
}

/** One answered question of a single-player quiz. */
export interface QuizAnswer {
  questionId: string;
  optionId: number;
  /** The judgement, or null if the answer was refused. */
  result: AnswerResult | null;
  /** The error code if the answer was refused. */
  refusal: string | null;
  /** The error code of the same answer, sent a second time. */
  again: string | null;
  /** The error code when another user sent the answer, or null if none tried. */
  stranger: string | null;
}

export interface QuizHistory {
  userId: string;
  sessionId: string;
  questionCount: number;
  questions: readonly Question[];
  words: readonly ListTerm[] | null;
  answers: readonly QuizAnswer[];
}

/** An attempt of an assignment, all of whose questions were answered. */
export interface AttemptHistory extends Omit<QuizHistory, 'questionCount' | 'words'> {
  /** The session that another start at the same time gave. */
  otherId: string;
  /** The attempt as it was given again, and the number of answers until then. */
  again: { done: number; session: AttemptSession } | null;
}

export interface HomeworkHistory {
  code: string;
  questionCount: number;
  attempts: readonly AttemptHistory[];
  results: AssignmentResults;
}

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

/** The part of an event that names it. */
type NamedEvent = Pick<ServerEvent, 'type' | 'seq'>;

/** @param event the event that is wrong; left out if it is something else */
export function violationOf(kind: string, text: string, event?: NamedEvent): Violation {
  return { kind, text, ...(event && { event: `${event.type}, number ${event.seq}` }) };
}
