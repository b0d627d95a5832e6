// Plays games in tests: starts them, gives correct or wrong answers, and reads what players received. The
// correct options are read from Redis, since no player can know them.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { announceState } from '../../src/lobby/event-log.ts';
import type { RedisClient } from '../../src/platform/redis/redis.ts';
import type { ServerEvent } from '../../src/realtime/schema.ts';
import type { SealedQuestion } from '../../src/vocabulary/rules.ts';
import type { Arena } from './arena.ts';
import { eventually } from './eventually.ts';
import { gather, type Player, playerOf } from './player.ts';

/** Gathers two players in a lobby, one on each replica; Ada is its host. */
export async function openLobby(arena: Arena, request: object = {}) {
  const [ada, ben] = await arena.players('Ada', 'Ben');
  const code = await gather([ada, ben], request);
  return { ada, ben, code, lobbyId: lobbyIdOf(ada) };
}

export async function startGame(arena: Arena, settings: object = {}) {
  const { players, ...game } = await startGameOf(arena, ['Ada', 'Ben'], settings);
  const [ada, ben] = players;
  return { ada, ben, ...game };
}

/** Starts a game of players with these names, distributed over the replicas; the first is the host. */
export async function startGameOf<Names extends string[]>(arena: Arena, names: [...Names], settings: object = {}) {
  const players = await arena.players<Names>(...names);
  const [host] = players as Player[] as [Player];
  const code = await gather(players, { settings });
  host.send({ type: 'lobby:start' });
  const asked = await Promise.all(players.map((player) => player.next('game:question')));
  return { players, code, gameId: asked[0]?.gameId as string, lobbyId: lobbyIdOf(host) };
}

/** Opens another socket of a player's user in a lobby, by default on the second replica. */
export async function openTab(arena: Arena, { user }: Player, code: string, replica = 1): Promise<Player> {
  const tab = playerOf(user, arena.replicas[replica]?.url as string);
  // A replica refuses sockets while it is overloaded, so that clients have to retry.
  await eventually(() => tab.connect());
  await tab.acked({ type: 'lobby:join', code });
  return tab;
}

/** @returns the id of the lobby in the last state that `player` received */
export function lobbyIdOf(player: Player): string {
  const state = player.messages.findLast((message) => message.type === 'lobby:state');
  if (!state) throw new Error(`${player.user.name} has seen no lobby`);
  return state.lobby.lobbyId;
}

/** Appends `count` events to a lobby's log, each a lobby:state that changes nothing. */
export async function appendEvents(services: Parameters<typeof announceState>[0], lobbyId: string, count: number) {
  for (let appended = 0; appended < count; appended++) await announceState(services, lobbyId, 'always');
}

/** Waits until it is `timeMs` by the clock of Redis. */
export async function untilRedisTime(redis: RedisClient, timeMs: number): Promise<void> {
  for (;;) {
    const [seconds, microseconds] = (await redis.time()) as unknown as [string, string];
    const leftMs = timeMs - Number(seconds) * 1000 - Number(microseconds) / 1000;
    if (leftMs <= 0) return;
    await sleep(leftMs);
  }
}

export const resultOf = (player: Player, round: number) =>
  player.next('game:answer_result', (message) => message.round === round);

export async function questionIdOf(player: Player, round = 1): Promise<string> {
  const asked = await player.next('game:question', (message) => message.round === round);
  return asked.question.questionId;
}

/** Answers the question of a round. @returns the chosen option */
export async function answer(arena: Arena, player: Player, round: number, choice: 'right' | 'wrong'): Promise<number> {
  const questionId = await questionIdOf(player, round);
  const questions = await questionsOf(arena.services.redis, lobbyIdOf(player));
  const keyed = questions.find(({ question }) => question.questionId === questionId);
  if (!keyed) throw new Error('no running game asks this question');
  const right = correctOptionOf(keyed);
  const optionId = choice === 'right' ? right : (right + 1) % 4;
  player.send({ type: 'game:answer', questionId, optionId });
  return optionId;
}

export function correctOptionOf(question: SealedQuestion): number {
  if ('correctOptionId' in question) return question.correctOptionId;
  throw new Error('a typed question has no options');
}

/** @returns the questions of a lobby's game, with the correct options */
export async function questionsOf(redis: RedisClient, lobbyId: string): Promise<SealedQuestion[]> {
  const byRound = await redis.hgetall(`lobby:{${lobbyId}}:questions`);
  return Object.keys(byRound)
    .toSorted((a, b) => Number(a) - Number(b))
    .map((round) => JSON.parse(byRound[round] as string) as SealedQuestion);
}

/** @returns all numbered events that a player received; errors have no number */
export const eventsOf = (player: Player): ServerEvent[] => player.messages.filter((message) => 'seq' in message);

/** @returns the player's last event, in the form in which a reconnecting client names it */
export function lastOf(player: Player): { since: number; mark: string } {
  const { seq, mark } = eventsOf(player).at(-1) as ServerEvent;
  return { since: seq, mark };
}

/** @returns the player's game events; `remainingMs`, which differs between sockets, is 0 */
export function gameEventsOf(player: Player): ServerEvent[] {
  return eventsOf(player)
    .filter(({ type }) => type.startsWith('game:'))
    .map((event) => ('remainingMs' in event ? { ...event, remainingMs: 0 } : event));
}

/** Asserts that events and snapshots with one number have one mark for all clients, and other numbers others. */
export function expectSameMarks(histories: ServerEvent[][]): void {
  const marks = new Map<number, string>();
  for (const { seq, mark } of histories.flat()) {
    expect(mark.length).toBeLessThanOrEqual(16);
    expect([seq, marks.get(seq) ?? mark]).toEqual([seq, mark]);
    marks.set(seq, mark);
  }
  expect(new Set(marks.values()).size).toBe(marks.size);
}
