// A player who plays by itself, on the client library: it thinks, answers, loses its connection now and
// then, and remembers all that it said and heard.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiError, createClient, type LobbyConnection } from '../client/index.ts';
import type { Client } from './history.ts';
import { createRecorder, type Recorder } from './recorder.ts';

/** Who plays, and how the service knows it. */
export interface Account {
  id: string;
  name: string;
  /** For the Cookie header. */
  cookie: string;
}

export interface Player extends Client, Pick<Recorder, 'closeCodes' | 'drop' | 'say'> {
  user: Account;
  lobby: LobbyConnection;
  /** What it chose, by question. */
  choices: Map<string, number>;
  /** Why it was shut out, if it was. */
  failure(): ApiError | null;
  /** Ends its connection; it stays a member. */
  stop(): void;
}

export interface PlayerOptions {
  /** Of [0, 1). */
  random?: () => number;
  /** Whether it sends each answer twice, so as to hear that the first one stands. */
  asksTwice?: boolean;
  handshakeTimeoutMs?: number;
  /** Comes back so often while it has no connection, and not as people's clients do. */
  retryMs?: number;
}

const OPTIONS = 4;

/**
 * Enters a lobby whose member the user is.
 * @param thinkMs how long it waits before it answers a question; null: it never does
 */
export function seatPlayer(
  baseUrl: string,
  user: Account,
  code: string,
  thinkMs: () => number | null,
  options: PlayerOptions = {},
): Player {
  const { random = Math.random, asksTwice = false, handshakeTimeoutMs, retryMs } = options;
  const { WebSocket, ...recorder } = createRecorder(handshakeTimeoutMs);
  const lobby = createClient({ baseUrl, cookie: user.cookie, WebSocket }).lobby(code);
  const choices = new Map<string, number>();
  const stopped = new AbortController();
  const { signal } = stopped;

  async function answer(questionId: string): Promise<void> {
    const delayMs = thinkMs();
    // A screen that is looked at again asks nothing new.
    if (delayMs === null || choices.has(questionId)) return;
    const optionId = Math.floor(random() * OPTIONS);
    choices.set(questionId, optionId);
    await sleep(delayMs, undefined, { signal });
    lobby.answer(questionId, optionId);
    if (asksTwice) lobby.answer(questionId, optionId);
  }

  lobby.on('game:question', ({ question }) => {
    // Stopped in mid-thought, it has nothing more to say.
    answer(question.questionId).catch(() => {});
  });
  const retrying =
    retryMs && setInterval(() => lobby.status === 'reconnecting' && lobby.wake(), retryMs);
  let failure: ApiError | null = null;
  lobby.on('end', (error) => {
    failure = error;
    stopped.abort();
  });
  signal.addEventListener('abort', () => clearInterval(retrying));
  return { ...recorder, user, lobby, choices, failure: () => failure, stop: lobby.close };
}
