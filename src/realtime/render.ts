// Renders an entry of the log as the message that clients get. Every replica renders the same message, except
// for the remaining time. Pure.
import type { LiveState } from '../lobby/event-log.ts';
import type { LogEntry, Position } from '../lobby/history.ts';
import { viewOf } from '../lobby/rules.ts';
import type { Roster } from '../lobby/schema.ts';
import type { ServerEvent } from './schema.ts';

/**
 * @param nowMs the Redis server's time
 * @param at the position that the message carries; in a snapshot, that of the lobby's last event
 * @param isPast whether the game is known to have gone on after this entry, so that no time remains
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
      const { nextAtMs, ...shown } = fields as { nextAtMs: number };
      return {
        type,
        seq,
        mark,
        ...untilNext(nextAtMs, isPast ? nextAtMs : nowMs),
        ...shown,
      } as ServerEvent;
    }
    case 'lobby:closed': {
      const { leaverId: _leaverId, ...shown } = fields;
      return { type, seq, mark, ...shown } as ServerEvent;
    }
    case 'game:question': {
      const { deadlineMs, ...shown } = fields as { deadlineMs: number; durationMs: number };
      const times = untilDeadline(deadlineMs, nowMs);
      // This process may estimate the Redis server's time a little too early.
      times.remainingMs = Math.min(shown.durationMs, times.remainingMs);
      return { type, seq, mark, ...times, ...shown } as ServerEvent;
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

/** @returns the messages of a snapshot: `lobby:state`, then the event that the screens show */
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
