// A room of many players, whose host presents one game: how long they take to get in, when results reach them, and how
// many bytes that takes. [contract 19]
import type { Client, LobbyHistory } from './history.ts';
import type { LobbyDeps } from './play-lobby.ts';

/** The bytes that a player may receive a round, with names of twenty letters. [contract 19] */
export const BYTES_PER_ROUND_MAX = 2500;

/** @returns how a room plays, with rounds that are long enough for those whose connection broke */
export function roomSettings(deck: object): Pick<LobbyDeps, 'settings' | 'thinkMs' | 'games' | 'isRoom'> {
  const times = { rounds: 10, roundMs: 20_000, intermissionMs: 1000 };
  const rules = { scoring: 'speed', hostPlays: false, compact: true, waitFor: 'present' } as const;
  return { settings: { ...deck, ...times, ...rules }, thinkMs: 3000, games: 1, isRoom: true };
}

export type RoomReport = ReturnType<typeof measureRoom>;

/** @returns the measurements of a room, whose first client is its host */
export function measureRoom({ clients, joins }: LobbyHistory) {
  const [host, ...others] = clients as [Client, ...Client[]];
  const full = host.received.find(
    ({ event }) => event.type === 'lobby:state' && event.lobby.connectedCount === joins.length,
  );
  return {
    players: joins.length,
    /** From the first request until the host sees everybody connected, ms; null if that was never so. */
    entryMs: full ? full.atMs - Math.min(...joins.map(({ fromMs }) => fromMs)) : null,
    /** From the last answer of a round until its result, of each player and round that all answered, ms. */
    resultMs: quantilesOf(resultTimes(clients)),
    /** The most that a player received of the game's events per round; no snapshots, which replace missed events. */
    bytesPerRound: Math.round(Math.max(0, ...others.map(bytesPerRound))),
    /** The longest time from the end of a player's connection to the first event of the next one, ms. */
    awayMs: Math.max(0, ...clients.flatMap(timesAway)),
  };
}

/** @returns the median, the 99th percentile and the greatest value; null for each if there are no values */
export function quantilesOf(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? null;
  return { p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? null };
}

function bytesPerRound({ received }: Client): number {
  const told = received.filter(({ event }) => event.type.startsWith('game:') && !event.snapshot);
  const bytes = told.reduce((sum, { event }) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
  return bytes / Math.max(1, told.filter(({ event }) => event.type === 'game:answer_result').length);
}

function timesAway({ connections, received }: Client): number[] {
  return connections.slice(0, -1).flatMap(({ openedAtMs, closedAtMs }, index) => {
    const next = received.find(({ connection }) => connection > index);
    return openedAtMs && closedAtMs && next ? next.atMs - closedAtMs : [];
  });
}

/**
 * @returns how long after the last answer each player received the result of each round that all answered. An answer
 *   counts from when it was first sent: a client that was away sends it again, perhaps after the result
 */
export function resultTimes(clients: readonly Pick<Client, 'sent' | 'received'>[]): number[] {
  const lastAnswers = new Map<string, number>();
  for (const { sent } of clients) {
    const firsts = new Map<string, number>();
    for (const { message, atMs } of sent.toReversed())
      if (message.type === 'game:answer') firsts.set(message.questionId, atMs);
    for (const [id, atMs] of firsts) lastAnswers.set(id, Math.max(atMs, lastAnswers.get(id) ?? 0));
  }
  return clients.flatMap(({ received }) =>
    received.flatMap(({ event, atMs }) => {
      if (event.type !== 'game:answer_result' || event.reason !== 'all_answered') return [];
      return atMs - (lastAnswers.get(event.questionId) ?? atMs);
    }),
  );
}
