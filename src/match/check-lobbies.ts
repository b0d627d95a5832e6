// A replica checks all of its lobbies with one script a Redis server, which renews the presence of their sockets and
// reports those that need more. A lobby in which nothing happens costs no command. [contract 5.1, 5.5, 5.9, 16]
import type { LobbyWriter } from '../lobby/event-log.ts';
import type { Position } from '../lobby/history.ts';
import { lobbyKeys, matchKey, socketsKey } from '../lobby/keys.ts';
import { PRESENCE_TTL_MS, type Presence, presenceEntry } from '../lobby/presence.ts';
import { byServer, type RedisClient } from '../platform/redis/redis.ts';
import { chunksOf, loadAnySlotScript, runScript } from '../platform/redis/scripts.ts';

const checkScript = loadAnySlotScript(new URL('lua/check-lobbies.lua', import.meta.url));

/** Lobbies and sockets that one run of the script checks at most. Redis is blocked for about 1 ms by them. */
const MAX_ENTRIES = 500;

/** A phase that is overdue for longer than this, in ms, is reported: the worker's clock has missed it. */
const OVERDUE_GRACE_MS = 300;

/** A lobby, and the state in which the replica expects it to be. */
export interface ExpectedLobby {
  lobbyId: string;
  /** The last event that the replica has delivered. */
  head: Position;
  /** The least version that the announced roster must have; unchecked where it is missing. */
  version?: number | undefined;
  /** The replica's sockets whose presence is renewed. */
  sockets: Presence[];
}

/** The lobbies that were checked, and the ids of those that need attention. */
export type LobbyFindings = Awaited<ReturnType<typeof checkOnServer>>;

/** @returns the findings, a promise for each run of the script; it rejects where that Redis server is away */
export function checkLobbies(deps: LobbyWriter, lobbies: ExpectedLobby[]): Promise<LobbyFindings>[] {
  const groups = byServer(deps.redis, lobbies, ({ lobbyId }) => lobbyKeys(lobbyId)[0]);
  const entries = ({ sockets }: ExpectedLobby) => 1 + sockets.length;
  return [...groups].flatMap(([server, group]) =>
    chunksOf(group, MAX_ENTRIES, entries).map((chunk) => checkOnServer(deps, server, chunk)),
  );
}

async function checkOnServer({ lobbyTtlMs }: LobbyWriter, server: RedisClient, lobbies: ExpectedLobby[]) {
  const expected = lobbies.map(({ lobbyId, head, version, sockets }) => {
    const keys = { lobby: lobbyKeys(lobbyId)[0], sockets: socketsKey(lobbyId), match: matchKey(lobbyId) };
    return { lobbyId, keys, ...head, version, sockets: sockets.map(presenceEntry) };
  });
  const args = [lobbyTtlMs, PRESENCE_TTL_MS, OVERDUE_GRACE_MS, JSON.stringify(expected)];
  const reply = await runScript(server, checkScript, [], args);
  const [changed, overdue, outdated, departed] = reply as [string[], string[], string[], string[]];
  return {
    lobbies,
    /** The last event, the roster or the connected sockets aren't as expected, or could not be read. */
    changed,
    /** A phase of the lobby's game should have ended. */
    overdue,
    /** The announced roster is older than the expected version. */
    outdated,
    /** The roster has changed since it was compared with the game's players: one of them may have left. */
    departed,
  };
}
