// From an entry of the log to the message that clients get: the same on every replica, but for the
// time that remains. Pure.
import type { LiveState } from '../lobby/event-log.ts';
import { type LogEntry, type Position, parseEntry } from '../lobby/history.ts';
import { viewOf } from '../lobby/rules.ts';
import type { Roster } from '../lobby/schema.ts';
import type { ServerEvent } from './schema.ts';

/**
 * @param nowMs the Redis server's time
 * @param at whose number and mark the message carries: for a snapshot the last event's
 * @param isPast whether what comes after it is known to have begun
 */
export function render(
  entry: LogEntry,
  nowMs: number,
  at: Position = entry,
  isPast = false,
): ServerEvent {
  const {
    type,
    seq: _seq,
    mark: _mark,
    previous: _previous,
    atMs: _atMs,
    by: _by,
    ...fields
  } = entry;
  const { seq, mark } = at;
  switch (type) {
    case 'lobby:state':
      return {
        type,
        seq,
        mark,
        lobby: viewOf(fields.lobby as Roster, fields.connected as string[]),
      };
    case 'game:answer_result': {
      const { nextAtMs, ...told } = fields as { nextAtMs?: number };
      // The release before intermissions has none.
      const nextMs = nextAtMs ?? entry.atMs;
      return {
        type,
        seq,
        mark,
        ...untilNext(nextMs, isPast ? nextMs : nowMs),
        ...told,
      } as ServerEvent;
    }
    case 'lobby:closed': {
      const { leaverId: _leaverId, ...told } = fields;
      return { type, seq, mark, ...told } as ServerEvent;
    }
    case 'game:question': {
      const { deadlineMs, ...told } = fields as { deadlineMs: number; durationMs: number };
      const times = untilDeadline(deadlineMs, nowMs);
      // Our idea of the Redis server's time may be a little behind it.
      times.remainingMs = Math.min(told.durationMs, times.remainingMs);
      return { type, seq, mark, ...times, ...told } as ServerEvent;
    }
    default:
      return { type, seq, mark, ...fields } as ServerEvent;
  }
}

const untilNext = (nextMs: number, nowMs: number) => ({
  nextInMs: Math.max(0, nextMs - nowMs),
  nextAt: new Date(nextMs).toISOString(),
});
const untilDeadline = (deadlineMs: number, nowMs: number) => ({
  remainingMs: Math.max(0, deadlineMs - nowMs),
  deadline: new Date(deadlineMs).toISOString(),
});

/** How append-event.lua and the events of a game's store begin a question and a result. */
const HEAD =
  /^{"seq":(\d+),"mark":"(\w+)","previous":"(\w+)","atMs":(\d+),"(deadline|nextAt)Ms":(\d+),"by":"[^"]*","type":"(game:\w+)",(?="gameId":"([^"]+)","round":(\d+),)/;

/**
 * Reads an event that is told as it happens. Of questions and results, which are nearly all, only the
 * beginning is read: the rest is told as it stands, and to parse it and write it anew would be an eighth of
 * what a game costs a replica.
 * @param text as it was published
 * @returns the event, and what clients are told where that is known already
 */
export function readLive(text: string): { entry: LogEntry; told?: string } {
  const head = HEAD.exec(text);
  if (!head) return { entry: parseEntry(text) };
  const [start, seq, mark = '', previous = '', at, what, due, type = '', gameId, round] = head;
  const position = { seq: Number(seq), mark };
  const atMs = Number(at);
  const until = what === 'deadline' ? untilDeadline : untilNext;
  const told = JSON.stringify({ type, ...position, ...until(Number(due), atMs) });
  return {
    entry: { ...position, previous, atMs, type, gameId, round: Number(round) },
    told: `${told.slice(0, -1)},${text.slice(start.length)}`,
  };
}

/** What a socket is told that has seen nothing yet: `lobby:state`, then what is on the screen. */
export function renderSnapshot(state: LiveState, nowMs: number): ServerEvent[] {
  const { seq, mark, roster, connected, screen } = state;
  if (!roster) return [];
  const snapshot = true;
  const lobby: ServerEvent = {
    ...{ type: 'lobby:state', seq, mark, snapshot },
    lobby: viewOf(roster, connected),
  };
  return screen ? [lobby, { ...render(screen, nowMs, state), snapshot }] : [lobby];
}
