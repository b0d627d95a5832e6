// The names of a lobby's and its game's keys in Redis. All have one hash tag, so that scripts work on a Redis Cluster.

const lobbyKey = (lobbyId: string) => `lobby:{${lobbyId}}`;

/** @returns the id of the lobby whose first key this is */
export const lobbyIdOf = (key: string) => key.slice('lobby:{'.length, -'}'.length);

/** @returns the name of the account of the logs of a network's hosts, in a slot of its own */
export const logsAccount = (network: string) => `logs:${network}`;

/** The channel on which a lobby's events are published. */
export const channelOf = (lobbyId: string) => `${lobbyKey(lobbyId)}:live`;

/** A sorted set of those who were connected a moment ago, by the time until which a game waits for them. */
export const awayKey = (lobbyId: string) => `${lobbyKey(lobbyId)}:away`;

/** A sorted set of the lobby's `user:socket` by time of expiry. */
export const socketsKey = (lobbyId: string) => `${lobbyKey(lobbyId)}:sockets`;

export const matchKey = (lobbyId: string) => `${lobbyKey(lobbyId)}:match`;

/** A hash of the questions by round, apart from the match so that a snapshot needn't read all of them. */
export const questionsKey = (lobbyId: string) => `${lobbyKey(lobbyId)}:questions`;

/** A list of the judgements of the rounds, until PostgreSQL has stored them with the result. */
export const roundsKey = (lobbyId: string) => `${lobbyKey(lobbyId)}:rounds`;

/** The keys that every script of a lobby gets, in this order. */
export function lobbyKeys(lobbyId: string): [lobby: string, log: string, channel: string] {
  const key = lobbyKey(lobbyId);
  return [key, `${key}:log`, channelOf(lobbyId)];
}

export const snapshotKeys = (lobbyId: string) => [matchKey(lobbyId), questionsKey(lobbyId)];

/** The keys by which the presence of players is known. [contract 25] */
export const presenceKeys = (lobbyId: string) => [lobbyKey(lobbyId), socketsKey(lobbyId), awayKey(lobbyId)];

/** The keys of the scripts that open or end a phase. */
export const gameKeys = (lobbyId: string) => [...lobbyKeys(lobbyId), ...snapshotKeys(lobbyId), roundsKey(lobbyId)];
