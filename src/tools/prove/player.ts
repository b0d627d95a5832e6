// A simulated player on the client library: it waits, answers, loses its connection now and then, and
// records everything that it sends and receives.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiError, createClient, type LobbyConnection } from '../../client/index.ts';
import type { Client } from './history.ts';
import { createRecorder, type Recorder } from './recorder.ts';

/** A user with a session. */
export interface Account {
  id: string;
  name: string;
  /** The Cookie header of the user's session. */
  cookie: string;
}

export interface Player extends Client, Pick<Recorder, 'closeCodes' | 'drop' | 'say'> {
  user: Account;
  lobby: LobbyConnection;
  /** The chosen option id by question id. */
  choices: Map<string, number>;
  /** The error that ended the lobby for this player, or null. */
  failure(): ApiError | null;
  /** Closes the connection. The user stays a member. */
  stop(): void;
}

export interface PlayerOptions {
  /** @returns a number from 0 up to, but not including, 1 */
  random?: () => number;
  /** Whether each answer is sent twice. The second one is refused, which shows that the first was stored. */
  asksTwice?: boolean;
  handshakeTimeoutMs?: number;
  /** Reconnects at this interval, ms, instead of with the client library's backoff. */
  retryMs?: number;
}

const OPTIONS = 4;

/**
 * Connects to a lobby that the user is a member of, and plays.
 * @param thinkMs the time before an answer, ms; null: the question is not answered
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
    // A snapshot repeats a question that is answered already.
    if (delayMs === null || choices.has(questionId)) return;
    const optionId = Math.floor(random() * OPTIONS);
    choices.set(questionId, optionId);
    await sleep(delayMs, undefined, { signal });
    lobby.answer(questionId, optionId);
    if (asksTwice) lobby.answer(questionId, optionId);
  }

  lobby.on('game:question', ({ question }) => {
    // The sleep rejects when the player is stopped; there is nothing left to do then.
    answer(question.questionId).catch(() => {});
  });
  const retrying = retryMs && setInterval(() => lobby.status === 'reconnecting' && lobby.wake(), retryMs);
  let failure: ApiError | null = null;
  lobby.on('end', (error) => {
    failure = error;
    stopped.abort();
  });
  signal.addEventListener('abort', () => clearInterval(retrying));
  return { ...recorder, user, lobby, choices, failure: () => failure, stop: lobby.close };
}
