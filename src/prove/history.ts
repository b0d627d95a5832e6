// What a run remembers of a lobby, and the checker judges: what every client said and heard over its
// sockets, and what is stored at the end. Plain data, so that it can be kept in a file.
import type {
  ClientMessage,
  ErrorMessage,
  GameResult,
  LobbySettings,
  ServerEvent,
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

export interface Connected {
  wantedAtMs: number;
  openedAtMs: number | null;
  closedAtMs: number | null;
}

export interface Client {
  user: { id: string; name: string };
  /** Every event, over all connections. */
  received: readonly Received[];
  sent: readonly Sent[];
  connections: readonly Connected[];
}

/** Without `rounds` where they were not looked at. */
export type StoredGame = Pick<GameResult, 'gameId' | 'scores' | 'winnerIds'> &
  Partial<Pick<GameResult, 'rounds'>>;

export interface LobbyHistory {
  lobbyId: string;
  code: string;
  scoring: LobbySettings['scoring'];
  clients: readonly Client[];
  /** The users whose joining was acknowledged. */
  joined: readonly string[];
  /** The users who said that they leave. */
  leaving: readonly string[];
  /** The results at the end. */
  stored: readonly StoredGame[];
  /** The lobby's members at the end. */
  members: readonly string[];
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
