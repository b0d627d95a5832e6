// The names of a lobby's keys in Redis. All have one hash tag, so that a script can use several of them on a
// Redis Cluster.

/** The keys that every script of a lobby gets, in this order. */
export function lobbyKeys(lobbyId: string): [lobby: string, log: string, channel: string] {
  const tag = `lobby:{${lobbyId}}`;
  return [tag, `${tag}:log`, channelOf(lobbyId)];
}

/** @returns the id of the lobby whose first key this is */
export const lobbyIdOf = (lobbyKey: string) => lobbyKey.slice('lobby:{'.length, -'}'.length);

/** @returns the name of the account of the logs of a network's hosts, in a slot of its own */
export const logsAccount = (network: string) => `logs:${network}`;

/** @returns the channel on which a lobby's events are published */
export function channelOf(lobbyId: string): string {
  return `lobby:{${lobbyId}}:live`;
}

/** @returns the key of those who were connected a moment ago, a sorted set of users by the time until which a game waits */
export function awayKey(lobbyId: string): string {
  return `lobby:{${lobbyId}}:away`;
}

/** @returns the key of the lobby's sockets, a sorted set of `user:socket` by time of expiry */
export function socketsKey(lobbyId: string): string {
  return `lobby:{${lobbyId}}:sockets`;
}
