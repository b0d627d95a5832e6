// The names of a lobby's keys in Redis. All share one hash tag, so that one script may touch them
// all on a Redis Cluster too.

/** The keys that every script of a lobby gets, in this order. */
export function lobbyKeys(lobbyId: string): [lobby: string, log: string, channel: string] {
  const tag = `lobby:{${lobbyId}}`;
  return [tag, `${tag}:log`, channelOf(lobbyId)];
}

/** Where a lobby's events are published. */
export function channelOf(lobbyId: string): string {
  return `lobby:{${lobbyId}}:live`;
}

/** Which sockets are in the lobby: a sorted set of `user:socket` by time of expiry. */
export function socketsKey(lobbyId: string): string {
  return `lobby:{${lobbyId}}:sockets`;
}

/** How often a user was wrong about a code; a key by itself. */
export function missesKey(userId: string): string {
  return `limit:code_miss:${userId}`;
}
