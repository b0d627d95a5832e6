// Sends one socket the state of its lobby at this moment. [contract 5.8, 5.9]
import { announceLobby } from '../../lobby/announce.ts';
import { type LiveState, readLiveState } from '../../lobby/event-log.ts';
import type { Connection } from '../connection.ts';
import { realtimeMetrics } from '../metrics.ts';
import { renderSnapshot } from '../render.ts';
import type { Listener } from '../subscription.ts';
import type { HandlerDeps } from './handler.ts';

/** Sends `lobby:state`, then the open question or the end of the game. A replay goes on after it. */
export async function sendSnapshot(deps: HandlerDeps, listener: Listener, lobbyId: string): Promise<void> {
  const state = await stateOf(deps, lobbyId);
  realtimeMetrics.snapshots.inc();
  deps.rooms.skipTo(listener, state);
  for (const message of renderSnapshot(state, deps.nowMs())) listener.send(message.textFor(listener));
}

/** Sends the open question or the end of the game; in a waiting lobby, `lobby:state`. */
export async function sendScreen(deps: HandlerDeps, listener: Listener, lobbyId: string): Promise<void> {
  const screen = renderSnapshot(await stateOf(deps, lobbyId), deps.nowMs()).at(-1);
  realtimeMetrics.snapshots.inc();
  if (screen) listener.send(screen.textFor(listener));
}

/** Sends `lobby:state` alone, after what the socket is being replayed. */
export async function sendLobby(deps: HandlerDeps, connection: Connection, lobbyId: string): Promise<void> {
  await deps.rooms.caughtUp(connection);
  const [lobby] = renderSnapshot(await stateOf(deps, lobbyId), deps.nowMs());
  realtimeMetrics.snapshots.inc();
  if (lobby) connection.send(lobby.textFor(connection));
}

/** @returns the state in Redis; where Redis has lost the lobby, it is first restored from PostgreSQL */
async function stateOf(deps: HandlerDeps, lobbyId: string): Promise<LiveState> {
  const state = await readLiveState(deps.redis, lobbyId);
  if (state.roster) return state;
  await announceLobby(deps, lobbyId);
  return readLiveState(deps.redis, lobbyId);
}
