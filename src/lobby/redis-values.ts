// How rosters and events are written in Redis. An event is a set of named fields, in the stream as in what is
// published: `event` is JSON from TypeScript, and the scripts add the other fields. [contract 5.9]
import type { LogEntry } from './history.ts';
import { isCompact } from './rules.ts';
import type { Roster } from './schema.ts';

type EntryFields = Record<string, string>;

/** A row of a stream, as Redis replies. */
export type StreamRow = [id: string, fields: string[]];

/** @param text a roster without its status and its game, which the scripts compare, and change more often */
export function parseRoster(text: string, status: string, gameId: string): Roster {
  return { ...JSON.parse(text), status, gameId: gameId || null };
}

/** @returns the arguments of a script that stores a roster: version and lobby_json of store_newer_roster */
export function rosterArguments({
  roster,
  version,
}: {
  roster: Roster;
  version: number;
}): [version: number, lobby: string] {
  const { status, gameId, ...rest } = roster;
  const { capacity, hostId, players } = rest;
  const named = players.filter(({ isHost, plays }) => isHost || !plays);
  const lobby = {
    capacity,
    compact: isCompact(roster),
    hostId,
    playerCount: players.length,
    status,
    gameId: gameId ?? '',
    roster: JSON.stringify(rest),
    summary: JSON.stringify({ ...rest, players: named }),
  };
  return [version, JSON.stringify(lobby)];
}

/** @param text an event as it was published, or is stored as the screen */
export function parseEntry(text: string): LogEntry {
  return toEntry(JSON.parse(text) as EntryFields);
}

/** @returns the event of a row of the log */
export function parseRow([, list]: StreamRow): LogEntry {
  const fields: EntryFields = {};
  for (let at = 0; at < list.length; at += 2) fields[list[at] as string] = list[at + 1] as string;
  return toEntry(fields);
}

function toEntry(fields: EntryFields): LogEntry {
  const { seq, mark = '', previous = '', atMs, by, event = '{}', ...added } = fields;
  const entry = { ...JSON.parse(event), seq: Number(seq), mark, previous, atMs: Number(atMs), by };
  const { roster, summary, status = '', gameId = '', connected = '[]', ...numbers } = added;
  if (roster !== undefined) {
    entry.lobby = parseRoster(roster, status, gameId);
    entry.connected = JSON.parse(connected);
  }
  if (summary !== undefined) entry.lobby = parseRoster(summary, status, gameId);
  for (const [name, number] of Object.entries(numbers)) entry[name] = Number(number);
  return entry;
}
