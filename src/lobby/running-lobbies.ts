// The running lobbies that members have entered from this replica. A player who comes back costs PostgreSQL nothing, since
// Redis shows whether a lobby that is known here still runs, and who plays in it. [contract 5.1]
import { LRUCache } from 'lru-cache';
import { parseCode } from './rules.ts';
import type { StoredLobby } from './store.ts';

/** The members of all known lobbies, about 200 bytes each; the lobbies that were not used for longest are evicted. */
const MAX_MEMBERS = 20_000;

export type RunningLobbies = ReturnType<typeof createRunningLobbies>;

export function createRunningLobbies() {
  /** By code; the names are by user id. */
  const known = new LRUCache<string, { lobbyId: string; version: number; names: ReadonlyMap<string, string> }>({
    maxSize: MAX_MEMBERS,
    sizeCalculation: ({ names }) => names.size + 1,
  });
  return {
    /** A room of a thousand that comes back at once brings the same roster a thousand times. */
    note({ roster: { code, lobbyId, status, players }, version }: StoredLobby): void {
      if (status !== 'running' || known.peek(code)?.version === version) return;
      known.set(code, { lobbyId, version, names: new Map(players.map(({ userId, name }) => [userId, name])) });
    },
    /** @returns lobby and name of a noted member, or null. How long it takes tells a stranger nothing. */
    find(code: string, userId: string): { lobbyId: string; name: string } | null {
      const lobby = known.get(parseCode(code) ?? '');
      const name = lobby?.names.get(userId);
      return lobby && name !== undefined ? { lobbyId: lobby.lobbyId, name } : null;
    },
  };
}
