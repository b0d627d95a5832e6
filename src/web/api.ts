// The service over HTTP: typed calls, and its refusals as one kind of error. A `Problem` is what the
// service said, or OFFLINE when it could not be asked.
import type { input, output } from 'zod';
import type { CreateLobbyRequest, Lobby } from '../lobby/schema.ts';
import type {
  AnswerRequest,
  AnswerResult,
  GameRequest,
  GameSession,
} from '../singleplayer/schema.ts';
import type { Vocabulary } from '../vocabulary/schema.ts';
import type { OutboxMail, PageConfig } from './page-schema.ts';

const TIMEOUT_MS = 15_000;

/** Dispatched on `window` when the service no longer knows who we are. */
export const SIGNED_OUT = 'page:signed-out';

/** A request that failed. */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** 0 when there was no answer at all. */
  readonly status: number;
  /** The contract's code, better-auth's under /api/auth, or OFFLINE. */
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }

  /** Whether the same request may succeed later without anybody doing anything. */
  get isPassing(): boolean {
    return this.status === 0 || (this.status >= 502 && this.status <= 504);
  }
}

export const api = {
  config: () => call<PageConfig>('GET', '/web/config.json'),
  outbox: () => call<{ mails: OutboxMail[] }>('GET', '/web/outbox.json'),
  vocabulary: () => call<output<typeof Vocabulary>>('GET', '/api/v1/vocabulary'),
  startQuiz: (request: input<typeof GameRequest>) =>
    call<GameSession>('POST', '/api/v1/game/start', request),
  answer: (request: input<typeof AnswerRequest>) =>
    call<AnswerResult>('POST', '/api/v1/game/answer', request),
  createLobby: (request: input<typeof CreateLobbyRequest>) =>
    call<Lobby>('POST', '/api/v1/lobbies', request),
  joinLobby: (code: string) =>
    call<Lobby>('POST', `/api/v1/lobbies/${encodeURIComponent(code)}/join`),
};

/**
 * @param body sent as JSON
 * @throws Problem
 */
export async function call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const response = await fetch(path, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw new Problem(0, 'OFFLINE', 'No connection.');
  });
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  // `detail` as in problem+json, `message` as in better-auth's own format.
  const { code, detail, message } = answer ?? {};
  if (code === 'UNAUTHENTICATED' || code === 'UNAUTHORIZED') dispatchEvent(new Event(SIGNED_OUT));
  throw new Problem(response.status, code ?? 'UNKNOWN', detail ?? message ?? response.statusText);
}
