// lobby:join. [contract 5.1, 5.9, 10, 16, 17]

import { putRoster } from '../../lobby/event-log.ts';
import { findLobbyToEnter } from '../../lobby/find-lobby.ts';
import { updatePresence } from '../../lobby/presence.ts';
import { resolveQuietly } from '../../match/end-phase.ts';
import { enter } from '../../match/store.ts';
import type { Connection } from '../connection.ts';
import { realtimeMetrics } from '../metrics.ts';
import type { ClientMessage } from '../schema.ts';
import { type HandlerDeps, stepOut } from './handler.ts';
import { sendSnapshot } from './snapshot.ts';

type LobbyJoin = Extract<ClientMessage, { type: 'lobby:join' }>;

/** @throws AppError LOBBY_NOT_FOUND, KICKED, NOT_A_MEMBER, RATE_LIMITED */
export async function joinLobbyRoom(
  deps: HandlerDeps,
  connection: Connection,
  { code, since: seq, mark }: LobbyJoin,
): Promise<void> {
  const stored = await findLobbyToEnter(deps, code, connection.userId);
  const { lobbyId, status } = stored.roster;
  if (status === 'running') await resolveQuietly(deps, lobbyId);
  if (deps.rooms.lobbyOf(connection) === lobbyId) {
    await sendSnapshot(deps, connection, lobbyId);
    return deps.rooms.showProgress(connection);
  }
  if (connection.isGone) return;
  await stepOut(deps, connection);
  await putRoster(deps, stored, 'soon');
  const since = seq === undefined ? undefined : { seq, mark };
  if (since) realtimeMetrics.resumes.inc();
  const isIn = await deps.rooms.enter(connection, lobbyId, since, stored.roster);
  // The lobby was closed meanwhile, or the user put out of it.
  if (!isIn) return;
  const socket = { userId: connection.userId, socketId: connection.id };
  await updatePresence(deps, lobbyId, 'add', [socket], status === 'waiting' ? 'soon' : 'changed');
  // After the presence: a start that did not see the one finds the other done.
  const player = { userId: connection.userId, name: connection.user.name };
  await enter(deps.redis, lobbyId, player, stored.version);
  deps.rooms.showProgress(connection);
}
