// One look at all lobbies of a replica, whatever their number: their sockets stay present, and those
// that need care are found. A lobby in which nothing happens costs no command of its own.
// [contract 5.1, 5.5, 5.9, 16]
import { APPEND_EVENT, type LiveDeps } from '../lobby/event-log.ts';
import type { Position } from '../lobby/history.ts';
import { lobbyKeys, socketsKey } from '../lobby/keys.ts';
import { entryOf, PRESENCE_TTL_MS, type Presence } from '../lobby/presence.ts';
import { byServer, type RedisClient } from '../platform/redis.ts';
import { ANY_SLOT, loadScript, runScript } from '../platform/scripts.ts';
import { matchKey } from './store.ts';

const lookScript = loadScript(
  ANY_SLOT,
  APPEND_EVENT,
  new URL('lua/look-after.lua', import.meta.url),
);

/** Redis does nothing else meanwhile: about a millisecond. */
const ENTRIES_AT_ONCE = 500;

/** How long a phase may be overdue before a replica does the worker's job. */
const OVERDUE_GRACE_MS = 300;

/** A lobby, and how it should stand in Redis. */
export interface Expected {
  lobbyId: string;
  /** The last event that went out. */
  head: Position;
  /** Of its roster, at least. */
  version?: number | undefined;
  /** The sockets here, when they are to be kept. */
  sockets: Presence[];
}

/** What was found, by lobby; what is in no other list is as it should be. */
export interface Findings {
  /** What was looked at. */
  lobbies: Expected[];
  /** Its last event, its roster or who is connected is another, or it could not be seen. */
  differing: string[];
  /** A phase of its game should have ended. */
  overdue: string[];
  /** Its announced roster is older than it should be. */
  behind: string[];
  /** Its game has not been compared with the roster that holds: somebody may play who has left. */
  strayed: string[];
}

/** @returns what was found, for each command that it took; of a server that is away, an outage */
export function lookAfter(deps: LiveDeps, lobbies: Expected[]): Promise<Findings>[] {
  const groups = byServer(deps.redis, lobbies, ({ lobbyId }) => lobbyKeys(lobbyId)[0]);
  return [...groups].flatMap(([server, group]) =>
    inBatches(group).map((batch) => lookAt(deps, server, batch)),
  );
}

async function lookAt(
  { lobbyTtlMs }: LiveDeps,
  server: RedisClient,
  lobbies: Expected[],
): Promise<Findings> {
  const times = [lobbyTtlMs, PRESENCE_TTL_MS, OVERDUE_GRACE_MS];
  const args: (string | number)[] = [...times, ...lobbies.flatMap(argumentsOf)];
  const reply = (await runScript(server, lookScript, [], args)) as number[][];
  const [differing, overdue, behind, strayed] = reply.map((places) =>
    places.map((place) => (lobbies[place - 1] as Expected).lobbyId),
  ) as [string[], string[], string[], string[]];
  return { lobbies, differing, overdue, behind, strayed };
}

function argumentsOf({ lobbyId, head, version, sockets }: Expected): (string | number)[] {
  const [lobby, log] = lobbyKeys(lobbyId);
  const keys = [lobby, log, socketsKey(lobbyId), matchKey(lobbyId)];
  const standing = [head.seq, head.mark, version ?? ''];
  return [...keys, ...standing, sockets.length, ...sockets.map(entryOf)];
}

function inBatches(lobbies: Expected[]): Expected[][] {
  const batches: Expected[][] = [];
  let room = 0;
  for (const lobby of lobbies) {
    if (room <= 0) {
      batches.push([]);
      room = ENTRIES_AT_ONCE;
    }
    batches.at(-1)?.push(lobby);
    room -= 1 + lobby.sockets.length;
  }
  return batches;
}
