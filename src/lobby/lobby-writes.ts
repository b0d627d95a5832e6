// Writes to a lobby for its sockets that join, leave or close. Each write has the whole roster, reads all sockets, or
// locks the lobby's row, so that a crowd's writes are combined: those that are requested while one is under way are
// the next one. [contract 5.1, 5.2, 11, 19]
import { inBatches } from '../platform/overload/batches.ts';
import { type LobbyServices, putRoster } from './event-log.ts';
import { lobbyKeys } from './keys.ts';
import { leaveLobby } from './leave-lobby.ts';
import { type Presence, type PresenceChange, updatePresence } from './presence.ts';
import type { StoredLobby } from './store.ts';

/** What `updatePresence` gets for a socket. */
type SocketChange = Presence & { change: PresenceChange; awayMs?: number };

export type LobbyWrites = ReturnType<typeof createLobbyWrites>;

/** @returns the changes in their order, alike neighbours together, with the first of each */
function runsOf(changes: SocketChange[]) {
  const runs: [SocketChange, SocketChange[]][] = [];
  for (const each of changes) {
    const [first, run] = runs.at(-1) ?? [];
    if (first?.change === each.change && first.awayMs === each.awayMs) run?.push(each);
    else runs.push([each, [each]]);
  }
  return runs;
}

/** Each lobby has its own queues, since on a cluster one may be away alone. */
export function createLobbyWrites(deps: LobbyServices) {
  const writeRosters = inBatches(
    async (lobbyId: string, rosters: StoredLobby[]) => {
      const newest = rosters.reduce((known, each) => (each.version > known.version ? each : known));
      // A join over HTTP has stored the roster already, so that comparing its version is mostly enough.
      const known = await deps.redis.hget(lobbyKeys(lobbyId)[0], 'version');
      if (Number(known ?? -1) < newest.version) await putRoster(deps, newest, 'soon');
      return rosters.map(() => undefined);
    },
    ({ version }) => String(version),
  );
  let writes = 0;
  return {
    putRoster: (stored: StoredLobby) => writeRosters(stored.roster.lobbyId, stored),
    /** Adds or removes a socket, or lets it linger, in the order of the calls, and announces a change of the connected users. */
    updatePresence: inBatches(
      async (lobbyId: string, changes: SocketChange[]) => {
        const replies = runsOf(changes).map(async ([{ change, awayMs }, sockets]) => {
          const reply = await updatePresence(deps, lobbyId, change, sockets, awayMs);
          return sockets.map(() => reply);
        });
        return (await Promise.all(replies)).flat();
      },
      // A socket may be added, removed and added again, so that no two writes are the same.
      () => String(writes++),
    ),
    /** @returns the version of the roster without the user; null where the lobby is closed, or the user was no member */
    leave: inBatches((lobbyId: string, userIds: string[]) => leaveLobby(deps, lobbyId, userIds), String),
  };
}
