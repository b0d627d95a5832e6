// Playing a game in tests: starting one, answering on purpose rightly or wrongly, and looking at what
// was told. The right options come straight from Redis: no player can know them.
import type { RedisClient } from '../../src/platform/redis.ts';
import type { ServerMessage } from '../../src/realtime/schema.ts';
import type { SealedQuestion } from '../../src/vocabulary/rules.ts';
import type { Arena } from './arena.ts';
import { gather, type Player } from './player.ts';

type ServerEvent = Extract<ServerMessage, { seq: number }>;

/** A running game of two, one on each replica. */
export async function startGame(
  arena: Arena,
  settings: object = {},
): Promise<{ ada: Player; ben: Player; code: string; gameId: string }> {
  const { players, ...game } = await startGameOf(arena, ['Ada', 'Ben'], settings);
  const [ada, ben] = players as [Player, Player];
  return { ada, ben, ...game };
}

/** A running game of players by their names, spread over the replicas; the first is the host. */
export async function startGameOf(
  arena: Arena,
  names: string[],
  settings: object = {},
): Promise<{ players: Player[]; code: string; gameId: string }> {
  const players = await arena.players(...names);
  const code = await gather(players, { settings });
  players[0]?.send({ type: 'lobby:start' });
  const asked = await Promise.all(players.map((player) => player.next('game:question')));
  return { players, code, gameId: asked[0]?.gameId as string };
}

/** @returns the id of the lobby whose state `player` saw last */
export function lobbyIdOf(player: Player): string {
  const state = player.messages.findLast((message) => message.type === 'lobby:state');
  if (!state) throw new Error(`${player.user.name} has seen no lobby`);
  return state.lobby.lobbyId;
}

/** @returns the id of the question that `player` was asked in a round; waits for it */
export async function questionIdOf(player: Player, round = 1): Promise<string> {
  const asked = await player.next('game:question', (message) => message.round === round);
  return asked.question.questionId;
}

/**
 * Answers the question of a round.
 * @returns the option that was chosen
 */
export async function answer(
  arena: Arena,
  player: Player,
  round: number,
  choice: 'right' | 'wrong',
): Promise<number> {
  const questionId = await questionIdOf(player, round);
  const { redis } = arena.replicas[0]?.services ?? {};
  const questions = redis && (await questionsOf(redis, lobbyIdOf(player)));
  const keyed = questions?.find(({ question }) => question.questionId === questionId);
  if (!keyed) throw new Error('no running game asks this question');
  const optionId = choice === 'right' ? keyed.correctOptionId : (keyed.correctOptionId + 1) % 4;
  player.send({ type: 'game:answer', questionId, optionId });
  return optionId;
}

/** The questions of a lobby's game, with what no player can know. */
export async function questionsOf(redis: RedisClient, lobbyId: string): Promise<SealedQuestion[]> {
  const byRound = await redis.hgetall(`lobby:{${lobbyId}}:questions`);
  return Object.keys(byRound)
    .toSorted((a, b) => Number(a) - Number(b))
    .map((round) => JSON.parse(byRound[round] as string) as SealedQuestion);
}

/** Everything that a player was told, but for errors. */
export function eventsOf(player: Player): ServerEvent[] {
  return player.messages.filter((message) => 'seq' in message);
}

/** The last event that a player saw, as clients name it when they come back. */
export function lastOf(player: Player): { since: number; mark: string } {
  const { seq, mark } = eventsOf(player).at(-1) as ServerEvent;
  return { since: seq, mark };
}

/** The events of games, without what differs from socket to socket. */
export function gameEventsOf(player: Player): ServerEvent[] {
  return eventsOf(player)
    .filter(({ type }) => type.startsWith('game:'))
    .map((event) => ('remainingMs' in event ? { ...event, remainingMs: 0 } : event));
}
