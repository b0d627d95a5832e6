// What a run remembers, and the checker judges: what every client said and heard, what is stored,
// what was done to the service and when, and how long anybody waited for anything.
import type { GameResult } from '../../src/match/schema.ts';
import type { Connected, Received, Sent } from '../support/robot.ts';

export interface Client {
  user: { id: string; name: string };
  received: readonly Received[];
  sent: readonly Sent[];
  connections: readonly Connected[];
}

export type StoredGame = Pick<GameResult, 'gameId' | 'scores' | 'winnerIds'>;

export interface LobbyHistory {
  lobbyId: string;
  code: string;
  scoring: 'accuracy' | 'speed';
  clients: readonly Client[];
  /** The users whose joining was acknowledged. */
  joined: readonly string[];
  /** The users who said that they leave. */
  leaving: readonly string[];
  /** The results in the database at the end. */
  stored: readonly StoredGame[];
  /** The lobby's members in the database at the end. */
  members: readonly string[];
}

/** A stretch of this machine's time, ms. */
export interface Span {
  what: string;
  fromMs: number;
  toMs: number;
}

export interface Wait extends Span {
  lobbyId: string;
}

export interface Violation {
  kind: string;
  lobbyId?: string;
  text: string;
}
