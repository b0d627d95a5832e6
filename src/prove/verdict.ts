// The verdict on a lobby that is over, from what its clients have heard and what the service says that
// it has stored.
import { type ApiError, type Client, createClient, type GameResult } from '../client/index.ts';
import { untilGranted } from './asking.ts';
import { checkLobby, type Verdict } from './checker/checker.ts';
import type { LobbyHistory, Violation } from './history.ts';
import { latenessOf } from './lateness.ts';
import type { Account, Player } from './player.ts';
import type { Played, TableDeps } from './table.ts';

/** What those are told whom the lobby is no place for any more. */
const OUT: ReadonlySet<string> = new Set(['NOT_IN_LOBBY', 'NOT_A_MEMBER', 'KICKED']);

/** Asks the service what it has stored: each result of one who has played, the lobby of one who stayed. */
export async function recall(
  deps: TableDeps,
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
    // Who was removed may read it too. [contract 11]
    const reader = find((id) => hasPlayed(id) && kicked.includes(id)) ?? find(hasPlayed);
    const game = reader && (await readGame(deps, clientOf(reader), gameId));
    if (game) stored.push(game);
  }
  const stayed = find((id) => joined.includes(id) && !leaving.includes(id) && !kicked.includes(id));
  const { players } = await untilGranted(deps, 'the lobby', () =>
    clientOf(stayed ?? (seats[0] as Account)).getLobby(history.code),
  );
  return { ...history, stored, members: players.map(({ userId }) => userId) };
}

function readGame(deps: TableDeps, client: Client, gameId: string): Promise<GameResult | null> {
  const find = () =>
    client.getGame(gameId).catch((error: ApiError) => {
      if (error.code === 'GAME_NOT_FOUND') return null;
      throw error;
    });
  return untilGranted(deps, 'a result', find);
}

/** @param lateMaxMs what is due and comes later is a violation */
export function judge(
  history: LobbyHistory,
  players: readonly Player[],
  lateMaxMs: number,
): Verdict {
  const verdict = checkLobby(history, { losses: [] });
  const late = history.clients.flatMap(latenessOf);
  const tooLate = late.filter((lateMs) => lateMs > lateMaxMs);
  const texts = [
    ...players.flatMap((player) => ending(history, player)).map((text) => ['ended', text] as const),
    ...(tooLate.length > 0
      ? [['late', `what was due came ${Math.max(...tooLate)} ms late`] as const]
      : []),
  ];
  const { lobbyId } = history;
  const violations: Violation[] = texts.map(([kind, text]) => ({ kind, lobbyId, text }));
  return { ...verdict, violations: [...verdict.violations, ...violations] };
}

/** A lobby ends for those alone who leave it, or are removed. */
function ending({ leaving, kicked }: LobbyHistory, { user, failure }: Player): string[] {
  const error = failure();
  const isOut = leaving.includes(user.id) || kicked.includes(user.id);
  if (!error || (isOut && OUT.has(error.code))) return [];
  return [`${user.name}'s lobby ended: ${error.message}`];
}
