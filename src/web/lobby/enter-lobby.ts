// Connects to a lobby. A user who is no member joins it first.
import { ApiError } from '../../client/api-error.ts';
import type { LiveStatus, LobbyMessage } from '../../client/live.ts';
import type { LobbyConnection, LobbyPosition } from '../../client/lobby.ts';
import type { ErrorMessage } from '../../client/types.ts';
import { client } from '../api.ts';
import { retry } from '../ui/retry.ts';

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
