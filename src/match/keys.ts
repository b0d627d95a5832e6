// The names of a game's keys in Redis, which have the hash tag of its lobby, so that a script can use both on a
// cluster.
import { awayKey, lobbyKeys, socketsKey } from '../lobby/keys.ts';

export function matchKey(lobbyId: string): string {
  return `lobby:{${lobbyId}}:match`;
}

/** A hash of the questions by round, apart from the match so that a snapshot needn't read all of them. */
export function questionsKey(lobbyId: string): string {
  return `lobby:{${lobbyId}}:questions`;
}

/** A list of the judgements of the rounds, until PostgreSQL has stored them with the result. */
export function roundsKey(lobbyId: string): string {
  return `lobby:{${lobbyId}}:rounds`;
}

export function allKeys(lobbyId: string): string[] {
  return [...lobbyKeys(lobbyId), matchKey(lobbyId)];
}

/** The keys of every script that replies with a snapshot. */
export function snapshotKeys(lobbyId: string): string[] {
  return [matchKey(lobbyId), questionsKey(lobbyId)];
}

/** The keys by which the presence of players is known. [contract 25] */
export function presenceKeys(lobbyId: string): string[] {
  return [lobbyKeys(lobbyId)[0], socketsKey(lobbyId), awayKey(lobbyId)];
}

/** The keys of the scripts that end a phase or a game. */
export function endingKeys(lobbyId: string): string[] {
  return [...allKeys(lobbyId), questionsKey(lobbyId), roundsKey(lobbyId)];
}
