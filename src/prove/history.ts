// What a run remembers of a lobby, and the checker judges: what every client said and heard over its
// sockets, and what is stored at the end. Plain data, so that it can be kept in a file.
import type {
  AnswerResult,
  ClientMessage,
  ErrorMessage,
  GameResult,
  ListRequest,
  LobbySettings,
  Question,
  ServerEvent,
  ServerMessage,
} from '../client/types.ts';

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
  /** What came back, if anything did. */
  refusal: (Pick<ErrorMessage, 'code' | 'reason'> & { atMs: number }) | null;
}

/** What was told to one socket alone, without a number. */
export interface Aside {
  message: Extract<ServerMessage, { type: 'lobby:kicked' | 'game:progress' }>;
  atMs: number;
  connection: number;
  /** How many events had been received before, over all connections. */
  after: number;
}

export interface Connected {
  wantedAtMs: number;
  openedAtMs: number | null;
  closedAtMs: number | null;
}

export interface Client {
  user: { id: string; name: string };
  /** Every event, over all connections. */
  received: readonly Received[];
  asides: readonly Aside[];
  sent: readonly Sent[];
  connections: readonly Connected[];
}

/** Without `rounds` where they were not looked at. */
export type StoredGame = Pick<GameResult, 'gameId' | 'scores' | 'winnerIds'> &
  Partial<Pick<GameResult, 'rounds'>>;

/** Somebody wanted to come in who might not be let in. */
export interface Attempt {
  userId: string;
  fromMs: number;
  /** The code; null: was let in. */
  refusal: string | null;
}

/** A term of a list. */
export type Word = ListRequest['terms'][number];

export interface LobbyHistory {
  lobbyId: string;
  code: string;
  settings: Pick<LobbySettings, 'scoring'> &
    Partial<Pick<LobbySettings, 'hostPlays' | 'lateJoin' | 'intermissionMs'>>;
  /** What is asked, where it is known. */
  words: readonly Word[] | null;
  clients: readonly Client[];
  /** The users whose joining was acknowledged. */
  joined: readonly string[];
  /** The users who said that they leave. */
  leaving: readonly string[];
  /** The users whom a host has removed, or has said to. */
  kicked: readonly string[];
  attempts: readonly Attempt[];
  /** The results at the end. */
  stored: readonly StoredGame[];
  /** The lobby's members at the end. */
  members: readonly string[];
}

/** What became of one question of a quiz for one. */
export interface QuizAnswer {
  questionId: string;
  optionId: number;
  /** Null where it was refused. */
  result: AnswerResult | null;
  /** The refusal's code. */
  refusal: string | null;
  /** Whether it was said more than once, because the first time may have been lost. */
  isRepeated: boolean;
  /** What the same was refused with when it was said once more. */
  again: string | null;
  /** What it was refused with when somebody else said it, where anybody did. */
  stranger: string | null;
}

export interface QuizHistory {
  userId: string;
  sessionId: string;
  questionCount: number;
  questions: readonly Question[];
  words: readonly Word[] | null;
  answers: readonly QuizAnswer[];
}

/** A stretch of this machine's time, ms. */
export interface Span {
  what: string;
  fromMs: number;
  toMs: number;
}

export interface Violation {
  kind: string;
  lobbyId?: string;
  text: string;
}
