// `lobby:join` subscribes a member's socket to the lobby's events. [contract 5.1, 5.9, 10, 16, 17]
import { findLobbyToEnter } from '../../lobby/find-lobby.ts';
import { endOverduePhase } from '../../match/end-phase.ts';
import { storeEntry } from '../../match/store.ts';
import type { Connection } from '../connection.ts';
import { realtimeMetrics } from '../metrics.ts';
import type { MessageOf } from '../schema.ts';
import { detachSocket, type HandlerDeps } from './handler.ts';
import { sendSnapshot } from './snapshot.ts';

/** @throws AppError LOBBY_NOT_FOUND, KICKED, NOT_A_MEMBER, RATE_LIMITED */
export async function joinLobbyRoom(
  deps: HandlerDeps,
  connection: Connection,
  { code, since: seq, mark }: MessageOf<'lobby:join'>,
): Promise<void> {
  const stored = await findLobbyToEnter(deps, code, connection);
  const { lobbyId, status } = stored.roster;
  if (status === 'running') await endOverduePhase(deps, lobbyId);
  if (deps.rooms.lobbyOf(connection) === lobbyId) {
    await sendSnapshot(deps, connection, lobbyId);
    return deps.rooms.requestProgress(connection);
  }
  if (connection.isGone) return;
  await detachSocket(deps, connection);
  const { players } = stored.roster;
  connection.nameInLobby = players.find(({ userId }) => userId === connection.userId)?.name;
  await deps.lobbyWrites.putRoster(stored);
  const player = { userId: connection.userId, name: connection.userName };
  // A round must wait for whoever has seen its question.
  if (status === 'running') await storeEntry(deps.redis, lobbyId, player, stored.version);
  const since = seq === undefined ? undefined : { seq, mark };
  if (since) realtimeMetrics.resumes.inc();
  const isIn = await deps.rooms.enter(connection, lobbyId, since);
  // Meanwhile the lobby was closed, or the user is no longer a member.
  if (!isIn) return;
  const socket = { userId: connection.userId, socketId: connection.id };
  const announce = status === 'waiting' ? 'soon' : 'changed';
  await deps.lobbyWrites.updatePresence(lobbyId, { change: 'add', announce, ...socket });
  // A start that comes before the presence gets the player by this entry, a later one by the presence.
  await storeEntry(deps.redis, lobbyId, player, stored.version);
  deps.rooms.requestProgress(connection);
}
