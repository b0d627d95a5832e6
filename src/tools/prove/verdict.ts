// Judges a lobby that has ended, by what its clients received, how late events came, and what the service stored.
import type { ApiError, Client, GameResult } from '../../client/index.ts';
import type { ServerEvent } from '../../client/types.ts';
import { checkLobby, type LobbyVerdict } from './checker/checker.ts';
import { type LobbyHistory, type Client as RecordedClient, violationOf } from './history.ts';
import type { Played } from './play-lobby.ts';
import { type ClientContext, patientClient } from './retry.ts';
import type { Account, Player } from './robot.ts';

/**
 * The tolerance for an event that comes before its time, ms. The network explains so much; an event that is
 * earlier was brought about by the host.
 */
const EARLY_MS = 100;

/** @returns how late each timed event came, ms, where one connection received both ends of the wait */
export function latenessOf(client: Pick<RecordedClient, 'received'>): number[] {
  return timedEvents(client).map(({ lateMs }) => lateMs);
}

/** @returns the timed events, and how late each came, ms, as `latenessOf` measures it */
function timedEvents({ received }: Pick<RecordedClient, 'received'>): { event: ServerEvent; lateMs: number }[] {
  const late: { event: ServerEvent; lateMs: number }[] = [];
  let due: { atMs: number; connection: number } | null = null;
  for (const { event, atMs, connection } of received) {
    if (event.snapshot || !event.type.startsWith('game:')) continue;
    const isCut = event.type === 'game:answer_result' && event.reason !== 'timeout';
    const lateMs = due?.connection === connection ? atMs - due.atMs : Number.NaN;
    if (!isCut && lateMs >= -EARLY_MS) late.push({ event, lateMs: Math.max(0, lateMs) });
    due = null;
    if (event.type === 'game:question') due = { atMs: atMs + event.remainingMs, connection };
    if (event.type === 'game:answer_result') due = { atMs: atMs + event.nextInMs, connection };
  }
  return late;
}

/** @param share the quantile, 0 to 1 @returns null if there are no values */
export function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}

/** The errors that end the lobby for a user who has left or was removed. */
const REMOVED_CODES: ReadonlySet<string> = new Set(['NOT_IN_LOBBY', 'NOT_A_MEMBER', 'KICKED']);

/** The greatest page of a lobby's players. [contract 19] */
const PLAYERS_AT_ONCE = 200;

/** Reads what the service has stored: each result as one of its players, the lobby as one of its members. */
export async function readStored(
  deps: ClientContext,
  { history }: Played,
  seats: readonly Account[],
): Promise<LobbyHistory> {
  const { leaving, kicked, joined } = history;
  const find = (isMeant: (id: string) => boolean) => seats.findLast(({ id }) => isMeant(id));
  const events = history.clients.flatMap(({ received }) => received.map(({ event }) => event));
  const ends = events.flatMap((event) => (event.type === 'game:finished' ? [event] : []));
  const stored: GameResult[] = [];
  for (const { gameId, scores, seq } of new Map(ends.map((end) => [end.gameId, end])).values()) {
    const hasPlayed = (id: string) => scores.some(({ userId }) => userId === id);
    // A removed player may read the result too. [contract 11]
    const player = find((id) => hasPlayed(id) && kicked.includes(id)) ?? find(hasPlayed);
    // Only who was host at its end can read the whole game of a compact lobby. [contract 19]
    const host = () => find((id) => id === hostAt(events, seq));
    const reader = history.settings.compact ? host() : player;
    const game = reader && patientClient(deps, reader).getGame(gameId);
    const found = await game?.catch((error: ApiError) => {
      if (error.code !== 'GAME_NOT_FOUND') throw error;
    });
    if (found) stored.push(found);
  }
  const stayed = find((id) => joined.includes(id) && !leaving.includes(id) && !kicked.includes(id));
  const members = await readMembers(patientClient(deps, stayed ?? (seats[0] as Account)), history.code);
  return { ...history, stored, members };
}

/** @returns the id of who was the lobby's host at an event */
function hostAt(events: readonly ServerEvent[], seq: number): string | undefined {
  const before = events.filter((event) => event.type === 'lobby:state' && event.seq < seq);
  const [latest] = before.toSorted((a, b) => b.seq - a.seq);
  return latest?.type === 'lobby:state' ? latest.lobby.hostId : undefined;
}

async function readMembers(client: Client, code: string): Promise<string[]> {
  const members: string[] = [];
  let after: string | undefined;
  do {
    const { players, next } = await client.listPlayers(code, { limit: PLAYERS_AT_ONCE, after });
    members.push(...players.map(({ userId }) => userId));
    after = next ?? undefined;
  } while (after);
  return members;
}

/** @param lateMaxMs an event that comes later than this after it was due is a violation, ms */
export function judge(history: LobbyHistory, players: readonly Player[], lateMaxMs: number): LobbyVerdict {
  const verdict = checkLobby(history, { losses: [] });
  const [latest] = history.clients.flatMap(timedEvents).toSorted((a, b) => b.lateMs - a.lateMs);
  const violations = [
    ...players.flatMap((player) => ending(history, player)).map((text) => violationOf('ended', text)),
    ...(latest && latest.lateMs > lateMaxMs
      ? [violationOf('late', `an event came ${latest.lateMs} ms late`, latest.event)]
      : []),
  ];
  const { lobbyId, code } = history;
  const named = violations.map((violation) => ({ ...violation, lobbyId, code }));
  return { ...verdict, violations: [...verdict.violations, ...named] };
}

/** A lobby may end with an error only for users who have left or were removed. */
function ending({ leaving, kicked }: LobbyHistory, { user, failure }: Player): string[] {
  const error = failure();
  const isOut = leaving.includes(user.id) || kicked.includes(user.id);
  if (!error || (isOut && REMOVED_CODES.has(error.code))) return [];
  return [`${user.name}'s lobby ended: ${error.message}`];
}
