// Judges a lobby that has ended, by what its clients received and what the service stored.
import { type ApiError, type Client, createClient, type GameResult } from '../client/index.ts';
import { checkLobby, type LobbyVerdict } from './checker/checker.ts';
import type { LobbyHistory, Violation } from './history.ts';
import { latenessOf } from './lateness.ts';
import type { LobbyDeps } from './play-games.ts';
import type { Played } from './play-lobby.ts';
import type { Account, Player } from './player.ts';
import { retryUntilGranted } from './retry.ts';

/** The errors that end the lobby for a user who has left or was removed. */
const REMOVED_CODES: ReadonlySet<string> = new Set(['NOT_IN_LOBBY', 'NOT_A_MEMBER', 'KICKED']);

/** Reads what the service has stored: each result as one of its players, the lobby as one of its members. */
export async function readStored(
  deps: LobbyDeps,
  { history }: Played,
  seats: readonly Account[],
): Promise<LobbyHistory> {
  const clientOf = ({ cookie }: Account) => createClient({ baseUrl: deps.url, cookie });
  const { leaving, kicked, joined } = history;
  const find = (isMeant: (id: string) => boolean) => seats.findLast(({ id }) => isMeant(id));
  const events = history.clients.flatMap(({ received }) => received.map(({ event }) => event));
  const ends = events.flatMap((event) => (event.type === 'game:finished' ? [event] : []));
  const stored: GameResult[] = [];
  for (const { gameId, scores } of new Map(ends.map((end) => [end.gameId, end])).values()) {
    const hasPlayed = (id: string) => scores.some(({ userId }) => userId === id);
    // A removed player may read the result too. [contract 11]
    const reader = find((id) => hasPlayed(id) && kicked.includes(id)) ?? find(hasPlayed);
    const game = reader && (await readGame(deps, clientOf(reader), gameId));
    if (game) stored.push(game);
  }
  const stayed = find((id) => joined.includes(id) && !leaving.includes(id) && !kicked.includes(id));
  const { players } = await retryUntilGranted(deps, 'the lobby', () =>
    clientOf(stayed ?? (seats[0] as Account)).getLobby(history.code),
  );
  return { ...history, stored, members: players.map(({ userId }) => userId) };
}

function readGame(deps: LobbyDeps, client: Client, gameId: string): Promise<GameResult | null> {
  const find = () =>
    client.getGame(gameId).catch((error: ApiError) => {
      if (error.code === 'GAME_NOT_FOUND') return null;
      throw error;
    });
  return retryUntilGranted(deps, 'a result', find);
}

/** @param lateMaxMs an event that comes later than this after it was due is a violation, ms */
export function judge(
  history: LobbyHistory,
  players: readonly Player[],
  lateMaxMs: number,
): LobbyVerdict {
  const verdict = checkLobby(history, { losses: [] });
  const late = history.clients.flatMap(latenessOf);
  const tooLate = late.filter((lateMs) => lateMs > lateMaxMs);
  const texts = [
    ...players.flatMap((player) => ending(history, player)).map((text) => ['ended', text] as const),
    ...(tooLate.length > 0
      ? [['late', `an event came ${Math.max(...tooLate)} ms late`] as const]
      : []),
  ];
  const { lobbyId } = history;
  const violations: Violation[] = texts.map(([kind, text]) => ({ kind, lobbyId, text }));
  return { ...verdict, violations: [...verdict.violations, ...violations] };
}

/** A lobby may end with an error only for users who have left or were removed. */
function ending({ leaving, kicked }: LobbyHistory, { user, failure }: Player): string[] {
  const error = failure();
  const isOut = leaving.includes(user.id) || kicked.includes(user.id);
  if (!error || (isOut && REMOVED_CODES.has(error.code))) return [];
  return [`${user.name}'s lobby ended: ${error.message}`];
}
