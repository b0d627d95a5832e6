// What a joining or closing socket writes to its lobby in Redis. Each write has the whole roster, or reads all
// sockets, so that a crowd's writes are combined: those that are requested while one is under way are the next
// one. [contract 5.1, 11, 19]
import { type LiveDeps, putRoster } from '../lobby/event-log.ts';
import { type Presence, updatePresence } from '../lobby/presence.ts';
import type { StoredLobby } from '../lobby/store.ts';
import { inBatches } from '../platform/overload/batches.ts';

export interface PresenceChange extends Presence {
  change: 'add' | 'remove';
  /** As in `updatePresence`. */
  announce: 'soon' | 'changed';
}

export interface LobbyWrites {
  /** Stores a lobby's roster unless a newer one is known, and announces it soon when it has changed. */
  putRoster(stored: StoredLobby): Promise<void>;
  /** Adds or removes a socket, in the order of the calls, and announces a change of the connected users. */
  updatePresence(lobbyId: string, change: PresenceChange): Promise<void>;
}

/** A lobby with writes. Each is a queue of its own, since on a cluster one may be away alone. */
interface Lobby {
  deps: LiveDeps;
  lobbyId: string;
  /** The number of writes that are requested or under way. */
  pending: number;
}

const writeRosters = inBatches(
  async ({ deps }: Lobby, rosters: StoredLobby[]) => {
    const newest = rosters.reduce((known, each) => (each.version > known.version ? each : known));
    await putRoster(deps, newest, 'soon');
    return rosters.map(() => undefined);
  },
  ({ version }) => String(version),
);

let writes = 0;

const writePresence = inBatches(
  async ({ deps, lobbyId }: Lobby, changes: PresenceChange[]) => {
    await Promise.all(
      runsOf(changes).map(([{ change, announce }, sockets]) =>
        updatePresence(deps, lobbyId, change, sockets, announce),
      ),
    );
    return changes.map(() => undefined);
  },
  // A socket may be added, removed and added again, so that no two writes are the same.
  () => String(writes++),
);

/** @returns the changes in their order, alike neighbours together, with the first of each */
function runsOf(changes: PresenceChange[]): [PresenceChange, PresenceChange[]][] {
  const runs: [PresenceChange, PresenceChange[]][] = [];
  for (const each of changes) {
    const [first, run] = runs.at(-1) ?? [];
    if (first?.change === each.change && first.announce === each.announce) run?.push(each);
    else runs.push([each, [each]]);
  }
  return runs;
}

export function createLobbyWrites(deps: LiveDeps): LobbyWrites {
  const lobbies = new Map<string, Lobby>();

  async function write(lobbyId: string, run: (lobby: Lobby) => Promise<void>): Promise<void> {
    const lobby = lobbies.get(lobbyId) ?? { deps, lobbyId, pending: 0 };
    lobbies.set(lobbyId, lobby);
    lobby.pending++;
    try {
      await run(lobby);
    } finally {
      lobby.pending--;
      if (lobby.pending === 0) lobbies.delete(lobbyId);
    }
  }

  return {
    putRoster: (stored) => write(stored.roster.lobbyId, (lobby) => writeRosters(lobby, stored)),
    updatePresence: (lobbyId, change) => write(lobbyId, (lobby) => writePresence(lobby, change)),
  };
}
