// From an entry of the log to the message that clients get: the same on every replica, but for the
// time that remains. Pure.
import type { LiveState } from '../lobby/event-log.ts';
import type { LogEntry, Position } from '../lobby/history.ts';
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
        ...told,
        nextInMs: isPast ? 0 : Math.max(0, nextMs - nowMs),
        nextAt: new Date(nextMs).toISOString(),
      } as ServerEvent;
    }
    case 'lobby:closed': {
      const { leaverId: _leaverId, ...told } = fields;
      return { type, seq, mark, ...told } as ServerEvent;
    }
    case 'game:question': {
      const { deadlineMs, ...told } = fields as { deadlineMs: number; durationMs: number };
      // Our idea of the Redis server's time may be a little behind it.
      const remainingMs = Math.min(told.durationMs, Math.max(0, deadlineMs - nowMs));
      return {
        type,
        seq,
        mark,
        ...told,
        remainingMs,
        deadline: new Date(deadlineMs).toISOString(),
      } as ServerEvent;
    }
    default:
      return { type, seq, mark, ...fields } as ServerEvent;
  }
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
