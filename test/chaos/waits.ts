// How long clients waited, by what they received: for their entry, for the end of a round or a game, for its start, for
// a connection, and for events that other clients already had.
import type { ServerEvent } from '../../src/client/types.ts';
import type { Client, PlayedLobby, Span, Violation } from '../../src/tools/prove/history.ts';

/** Shorter waits are not recorded, ms. */
const WORTH_TELLING_MS = 1000;

type Told = { event: ServerEvent; atMs: number };

/** @param untilMs when the clients were stopped, ms; an open wait ends then */
export function waitsOf(history: PlayedLobby, untilMs: number): Wait[] {
  const { clients, lobbyId, code, leaving, kicked, joins } = history;
  // These clients may have received their last event.
  const gone = new Set([...leaving, ...kicked]);
  const told = firstTold(clients);
  const waits: Wait[] = [];
  const wait = (what: string, fromMs: number, toMs = untilMs) => {
    if (toMs - fromMs > WORTH_TELLING_MS) waits.push({ what, lobbyId, code, fromMs, toMs });
  };

  for (const { userId, fromMs, toMs } of joins) wait(`the entry of ${userId}`, fromMs, toMs);
  for (const [index, { event, atMs }] of told.entries()) {
    const later = told.slice(index + 1).find(isOfGame);
    // A lost game does not go on.
    if (later?.event.type === 'lobby:state') continue;
    if (event.type === 'game:question')
      wait(`the end of round ${event.round}`, Date.parse(event.deadline), later?.atMs);
    if (event.type === 'game:answer_result')
      wait(`what comes after round ${event.round}`, atMs + event.nextInMs, later?.atMs);
  }
  for (const client of clients) {
    const { name, id } = client.user;
    for (const { message, atMs } of client.sent.slice(0, client.sent.findIndex(isStart) + 1)) {
      const opened = told.find(({ event }) => event.type === 'game:question');
      if (message.type === 'lobby:start') wait('the start of a game', atMs, opened?.atMs);
    }
    waitForConnections(client, (fromMs, toMs) => wait(`${name}'s connection`, fromMs, toMs));
    if (!gone.has(id)) waitForEvents(client, told, (what, fromMs, toMs) => wait(`${name} for ${what}`, fromMs, toMs));
  }
  return waits;
}

const isStart = ({ message }: Client['sent'][0]) => message.type === 'lobby:start';

/** Whether the game has gone on, or no longer exists. */
const isOfGame = ({ event }: Told) =>
  event.type === 'lobby:state' ? event.lobby.status === 'waiting' : event.type.startsWith('game:');

/**
 * @returns the first receipt of each sequence number by any client, in the order of receipt, and of each question with
 *   its deadline: a round that was lost is asked anew in a snapshot, all of whose events have the same number
 */
function firstTold(clients: readonly Client[]): Told[] {
  let highestSeq = -1;
  const deadlines = new Set<string>();
  const deadlineOf = (event: ServerEvent) =>
    event.type === 'game:question' ? `${event.question.questionId} ${event.deadline}` : null;
  const all = clients.flatMap(({ received }) => received);
  return all
    .toSorted((a, b) => a.atMs - b.atMs)
    .filter(({ event }) => {
      const deadline = deadlineOf(event);
      const isNew = event.seq > highestSeq || (deadline !== null && !deadlines.has(deadline));
      highestSeq = Math.max(highestSeq, event.seq);
      if (deadline) deadlines.add(deadline);
      return isNew;
    });
}

function waitForConnections(client: Client, wait: (fromMs: number, toMs?: number) => void): void {
  let sinceMs: number | null = null;
  for (const { wantedAtMs, openedAtMs } of client.connections) {
    sinceMs ??= wantedAtMs;
    if (openedAtMs === null) continue;
    wait(sinceMs, openedAtMs);
    sinceMs = null;
  }
  if (sinceMs !== null) wait(sinceMs);
}

function waitForEvents(
  { received }: Client,
  told: readonly Told[],
  wait: (what: string, fromMs: number, toMs?: number) => void,
): void {
  const [first] = received;
  if (!first) return;
  for (const { event, atMs } of told) {
    if (atMs < first.atMs) continue;
    const own = received.find((item) => item.event.seq >= event.seq && item.atMs >= first.atMs);
    wait(`number ${event.seq}`, atMs, own?.atMs);
  }
}

// Nothing is stuck: every expected event comes within a few undisturbed seconds. Seconds in which a fault was
// active, or the machine kept processes waiting, do not count.

export type Wait = Span & Pick<PlayedLobby, 'lobbyId' | 'code'>;

/** @param limitMs the longest wait in undisturbed time, ms */
export function checkWaits(waits: readonly Wait[], harms: readonly Span[], limitMs: number): Violation[] {
  const inOrder = harms.toSorted((a, b) => a.fromMs - b.fromMs);
  return waits.flatMap((wait) => {
    const { what, lobbyId, code, fromMs, toMs } = wait;
    const stretchMs = longestStretchMs(wait, inOrder);
    if (stretchMs <= limitMs) return [];
    return [
      { kind: 'stuck', lobbyId, code, text: `${what} took ${toMs - fromMs} ms, ${stretchMs} of them undisturbed` },
    ];
  });
}

/** @param harms the disturbed periods, by their beginnings */
function longestStretchMs({ fromMs, toMs }: Wait, harms: readonly Span[]): number {
  let longestMs = 0;
  let sinceMs = fromMs;
  for (const harm of harms) {
    if (harm.toMs <= sinceMs) continue;
    if (harm.fromMs >= toMs) break;
    longestMs = Math.max(longestMs, harm.fromMs - sinceMs);
    sinceMs = harm.toMs;
  }
  return Math.max(longestMs, toMs - sinceMs);
}
