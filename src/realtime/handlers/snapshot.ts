// What one socket alone is told of the moment. [contract 5.8, 5.9]
import { announceLobby } from '../../lobby/announce.ts';
import { type LiveState, readLiveState } from '../../lobby/event-log.ts';
import { realtimeMetrics } from '../metrics.ts';
import { renderSnapshot } from '../render.ts';
import type { Listener } from '../room.ts';
import type { HandlerDeps } from './handler.ts';

/** Sends `lobby:state`, then the open question or the end of the game. */
export async function sendSnapshot(
  deps: HandlerDeps,
  listener: Listener,
  lobbyId: string,
): Promise<void> {
  const events = renderSnapshot(await stateOf(deps, lobbyId), deps.nowMs());
  realtimeMetrics.snapshots.inc();
  for (const event of events) listener.send(JSON.stringify(event));
}

/** Sends the open question or the end of the game; in a waiting lobby, `lobby:state`. */
export async function sendScreen(
  deps: HandlerDeps,
  listener: Listener,
  lobbyId: string,
): Promise<void> {
  const screen = renderSnapshot(await stateOf(deps, lobbyId), deps.nowMs()).at(-1);
  realtimeMetrics.snapshots.inc();
  if (screen) listener.send(JSON.stringify(screen));
}

/** What Redis knows; when it has lost the lobby, after PostgreSQL has told it anew. */
async function stateOf(deps: HandlerDeps, lobbyId: string): Promise<LiveState> {
  const state = await readLiveState(deps.redis, lobbyId);
  if (state.roster) return state;
  await announceLobby(deps, lobbyId);
  return readLiveState(deps.redis, lobbyId);
}
