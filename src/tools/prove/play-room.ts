// Plays one game in a room of many players, whose host presents it: how long they take to get in, when results reach
// them, and how many bytes that takes. [contract 19]
import { setTimeout as sleep } from 'node:timers/promises';
import type { Vocabulary } from '../../client/index.ts';
import type { Client, Violation } from './history.ts';
import { eventsOf, isOver, type LobbyDeps, type Played, pickDeck } from './play-lobby.ts';
import type { Random } from './random.ts';
import { type ClientContext, forEachLimited, GIVE_UP_MS, patientClient, type RetryContext } from './retry.ts';
import { type Account, type Player, recordOf, seatPlayer } from './robot.ts';

const ROUNDS = 10;
/** The time within which the players of a round answer, ms. */
const THINK_MS = 3000;
/** The time of a round, ms: long enough for those whose connection broke. */
const ROUND_MS = 20_000;
const INTERMISSION_MS = 1000;
const TICK_MS = 50;

export interface RoomDeps extends ClientContext, Pick<LobbyDeps, 'player' | 'onConnected' | 'onGameOver'> {
  vocabulary: Vocabulary;
}

/** The measurements of a room. Times are in ms. */
export interface RoomReport {
  players: number;
  /** From the first request to join until the host sees everybody connected. */
  entryMs: number;
  /** From the last answer of a round until its result, of each player and round that all answered. */
  resultMs: number[];
  /** What each player received of the game's events per round, bytes; no snapshots, which replace missed events. */
  bytesPerRound: number[];
  /** From each lost connection to the next event of its player. */
  backMs: number[];
}

/**
 * @param accounts the first one is the host, who presents
 * @throws ApiError if the service refuses the room or a join for good
 */
export async function playRoom(
  deps: RoomDeps,
  accounts: readonly Account[],
  random: Random,
): Promise<Played & { report: RoomReport }> {
  const [host, ...others] = accounts as [Account, ...Account[]];
  const settings = {
    ...pickDeck(random, deps.vocabulary),
    rounds: ROUNDS,
    roundMs: ROUND_MS,
    intermissionMs: INTERMISSION_MS,
    scoring: 'speed' as const,
    hostPlays: false,
    lateJoin: false,
    compact: true,
    waitFor: 'present' as const,
  };
  const startedMs = performance.now();
  const capacity = Math.max(2, accounts.length);
  const { lobbyId, code } = await patientClient(deps, host).createLobby({ capacity, settings });
  const players: Player[] = [];
  const connect = (account: Account, thinkMs: () => number | null) => {
    const player = seatPlayer(deps.url, account, code, thinkMs, { ...deps.player, random: random.next });
    players.push(player);
    deps.onConnected?.(player);
  };
  try {
    connect(host, () => null);
    await forEachLimited(others, async (account) => {
      await patientClient(deps, account).joinLobby(code);
      connect(account, () => random.int(0, THINK_MS));
    });
    const [presenter] = players as [Player];
    await until(deps, `lobby ${code}: not everybody got in`, () => isFull(presenter, accounts.length));
    const entryMs = performance.now() - startedMs;
    void presenter.lobby.start();
    await until(deps, `lobby ${code}: the game did not end`, () => players.every((player) => isOver(player, 1)));
    deps.onGameOver?.(players, ROUNDS);
    const report = {
      players: players.length,
      entryMs,
      resultMs: resultTimes(players),
      bytesPerRound: players.slice(1).map((player) => gameBytes(player) / ROUNDS),
      backMs: players.flatMap(returnTimes),
    };
    const history = {
      lobbyId,
      code,
      settings,
      clients: players.map(recordOf),
      words: null,
      joined: accounts.map(({ id }) => id),
      attempts: [],
      leaving: [],
      kicked: [],
    };
    return { history, players, asked: [], untilMs: Date.now(), report };
  } finally {
    for (const player of players) player.stop();
  }
}

/** The bytes that a player may receive a round, with names of twenty letters. [contract 19] */
const BYTES_PER_ROUND_MAX = 2500;

/**
 * @param lateMaxMs the longest time that a player may be away after the end of a connection, ms
 * @returns a violation where a player received too many bytes, and where one was away for too long
 */
export function excessesOf({ bytesPerRound, backMs }: RoomReport, lateMaxMs: number): Violation[] {
  const bytes = Math.round(Math.max(0, ...bytesPerRound));
  const awayMs = Math.round(Math.max(0, ...backMs));
  return [
    ...(bytes > BYTES_PER_ROUND_MAX ? [{ kind: 'size', text: `a player received ${bytes} bytes a round` }] : []),
    ...(awayMs > lateMaxMs ? [{ kind: 'late', text: `a player was back only after ${awayMs} ms` }] : []),
  ];
}

function gameBytes({ received }: Client): number {
  const told = received.filter(({ event }) => event.type.startsWith('game:') && !event.snapshot);
  return told.reduce((sum, { event }) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
}

function isFull(host: Player, players: number): boolean {
  return eventsOf(host, 'lobby:state').at(-1)?.lobby.connectedCount === players;
}

/** Waits for something, and reports as trouble that it has not come for too long. */
async function until(deps: RetryContext, trouble: string, isSo: () => boolean): Promise<void> {
  const startedMs = performance.now();
  while (!isSo()) {
    if (performance.now() - startedMs > GIVE_UP_MS) return deps.onTrouble(trouble);
    await sleep(TICK_MS, undefined, { signal: deps.signal });
  }
}

/**
 * @returns how long after the last answer each player received the result of each round that all answered. An answer
 *   counts from when it was first sent: a client that was away sends it again, perhaps after the result
 */
export function resultTimes(clients: readonly Pick<Client, 'sent' | 'received'>[]): number[] {
  const lastAnswers = new Map<string, number>();
  for (const { sent } of clients) {
    const answered = new Set<string>();
    for (const { message, atMs } of sent) {
      if (message.type !== 'game:answer' || answered.has(message.questionId)) continue;
      const { questionId } = message;
      answered.add(questionId);
      lastAnswers.set(questionId, Math.max(atMs, lastAnswers.get(questionId) ?? 0));
    }
  }
  return clients.flatMap(({ received }) =>
    received.flatMap(({ event, atMs }) => {
      if (event.type !== 'game:answer_result' || event.reason !== 'all_answered') return [];
      return atMs - (lastAnswers.get(event.questionId) ?? atMs);
    }),
  );
}

/** @returns how long after the end of a connection the first event of the next one came */
function returnTimes({ connections, received }: Client): number[] {
  return connections.slice(0, -1).flatMap(({ openedAtMs, closedAtMs }, index) => {
    const next = received.find(({ connection }) => connection > index);
    return openedAtMs && closedAtMs && next ? [next.atMs - closedAtMs] : [];
  });
}
