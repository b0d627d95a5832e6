// Renders an entry of the log as the message that clients get. Every replica renders the same message, except for the
// remaining time. In a compact lobby each user's own part is added to the shared one. Pure. [contract 19]
import type { LogEntry, Position } from '../lobby/history.ts';
import { type CompactState, compactView, isCompact, viewsOf } from '../lobby/rules.ts';
import type { Roster } from '../lobby/schema.ts';
import type { ShownLobby } from '../match/store.ts';
import { type Listener, namesMembers } from './subscriptions.ts';

type Receiver = Pick<Listener, 'userId' | 'userName'>;

interface Rendered {
  shared: object;
  /** @returns the further fields that a receiver gets; without the function, everybody gets the same message */
  ownPart?: (receiver: Receiver) => object;
}

/** A serialised message. Its receivers may share the buffer. */
export interface Message {
  textFor(receiver: Receiver): Buffer;
  maxBytes: number;
  /** The id of the message in a stream; in a snapshot the last message alone has one. [contract 24] */
  id: string | undefined;
}

const idOf = ({ seq, mark }: Position) => `${seq}-${mark}`;

/** The bytes of the longest own part, with the names of a host and a player of 200 code points each. [contract 17] */
const OWN_PART_BYTES = 4096;

/** @param isPast whether the game is known to have gone on after this entry, so that no time remains */
export function renderMessage(entry: LogEntry, nowMs: number, isPast = false): Message {
  return serialise(render(entry, nowMs, entry, isPast), idOf(entry));
}

export function renderSnapshot(state: ShownLobby, nowMs: number): Message[] {
  const { roster, connected, snapshot } = state;
  if (!roster) return [];
  const lobby = renderLobby(roster, connected, state);
  const shown = snapshot ? [lobby, render(snapshot, nowMs, state, false, state.given)] : [lobby];
  return shown.map(({ shared, ...rest }, index) =>
    serialise({ shared: { ...shared, snapshot: true }, ...rest }, index === shown.length - 1 ? idOf(state) : undefined),
  );
}

/** The shared fields are serialised once, however many receivers have an own part. */
function serialise({ shared, ownPart }: Rendered, id: string | undefined): Message {
  const text = JSON.stringify(shared);
  const buffer = Buffer.from(text);
  if (!ownPart) return { textFor: () => buffer, maxBytes: buffer.length, id };
  const opening = text.slice(0, -1);
  return {
    textFor(receiver) {
      const own = JSON.stringify(ownPart(receiver));
      return own === '{}' ? buffer : Buffer.from(`${opening},${own.slice(1)}`);
    },
    maxBytes: buffer.length + OWN_PART_BYTES,
    id,
  };
}

/** @param at in a snapshot, the position of the lobby's last event @param given in a snapshot, its receivers' answers */
function render(entry: LogEntry, nowMs: number, at: Position, isPast: boolean, given?: ShownLobby['given']): Rendered {
  const { type, seq: _seq, mark: _mark, previous: _previous, atMs: _atMs, by: _by, ...fields } = entry;
  const { seq, mark } = at;
  switch (type) {
    case 'lobby:state': {
      if (namesMembers(entry)) return renderLobby(entry.lobby as Roster, entry.connected as string[], at);
      const state = fields as object as CompactState;
      return { shared: { type, seq, mark }, ownPart: (to) => ({ lobby: compactView(state, to) }) };
    }
    case 'game:answer_result': {
      const { nextAtMs, parts, question, ...shown } = fields as ResultFields;
      const nextInMs = isPast ? 0 : Math.max(0, nextAtMs - nowMs);
      const times = { nextInMs, nextAt: new Date(nextAtMs).toISOString() };
      const asked = given && question ? { question } : {};
      return { shared: { type, seq, mark, ...times, ...asked, ...shown }, ...ownParts(parts) };
    }
    case 'game:finished': {
      const { parts, ...shown } = fields as { parts?: Parts };
      return { shared: { type, seq, mark, ...shown }, ...ownParts(parts) };
    }
    case 'lobby:closed': {
      const { leaverId: _leaverId, ...shown } = fields;
      return { shared: { type, seq, mark, ...shown } };
    }
    case 'game:question': {
      const { deadlineMs, opensAtMs, ...shown } = fields as QuestionFields;
      const opensInMs = opensAtMs === undefined ? 0 : Math.max(0, opensAtMs - nowMs);
      // This process may estimate the Redis server's time a little too early.
      const remainingMs = Math.min(opensInMs + shown.durationMs, Math.max(0, deadlineMs - nowMs));
      const deadline = new Date(deadlineMs).toISOString();
      const shared = { type, seq, mark, opensInMs, remainingMs, deadline, ...shown };
      if (!given) return { shared };
      return { shared, ownPart: ({ userId }) => (given.has(userId) ? { yourAnswer: given.get(userId) } : {}) };
    }
    default:
      return { shared: { type, seq, mark, ...fields } };
  }
}

type Parts = Record<string, object>;
type QuestionFields = { deadlineMs: number; opensAtMs?: number; durationMs: number };
type ResultFields = { nextAtMs: number; parts?: Parts; question?: object };

function renderLobby(roster: Roster, connected: Iterable<string>, { seq, mark }: Position): Rendered {
  const views = viewsOf(roster, connected);
  const shared = { type: 'lobby:state', seq, mark };
  return isCompact(roster)
    ? { shared, ownPart: ({ userId }) => ({ lobby: views(userId) }) }
    : { shared: { ...shared, lobby: views(roster.hostId) } };
}

/** @param parts by user id; a presenting host has none */
function ownParts(parts: Parts | undefined): Pick<Rendered, 'ownPart'> {
  if (!parts) return {};
  return { ownPart: ({ userId }) => (parts[userId] ? { you: parts[userId] } : {}) };
}
