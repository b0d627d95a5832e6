// What a game of many leaves in the memory of its players; vitest.config.ts runs it on a Redis Cluster as
// well. [contract 13]
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Arena, startArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { answer, startGame, startGameOf } from '../support/game.ts';
import type { Player } from '../support/player.ts';
import type { TestService } from '../support/service.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await startArena();
});
afterAll(async () => {
  await arena.stop();
});

/** What is remembered of these players, once there is so much. */
function memoriesOf(players: Player[], count: number) {
  const { db } = (arena.replicas[0] as TestService).services;
  const userIds = players.map(({ user }) => user.id);
  return eventually(async () => {
    const rows = await db.learnedWord.findMany({ where: { userId: { in: userIds } } });
    expect(rows).toHaveLength(count);
    return rows;
  });
}

test('each judged answer of a round updates what is known of that user and that word', async () => {
  const { ada, ben } = await startGame(arena, { rounds: 2 });
  await answer(arena, ada, 1, 'right');
  await answer(arena, ben, 1, 'wrong');
  const { question } = await ada.next('game:question', ({ round }) => round === 1);
  // The game goes on: it doesn't take the end of the game.
  await ben.next('game:question', ({ round }) => round === 2);
  const memories = await memoriesOf([ada, ben], 2);
  for (const [player, minutes] of [
    [ada, 10],
    [ben, 1],
  ] as const) {
    const memory = memories.find(({ userId }) => userId === player.user.id);
    expect(memory?.sourceKey).toBe(question.prompt.toLowerCase());
    expect(memory?.gloss ?? undefined).toBe(question.gloss);
    const dueInMs = Number(memory?.due) - Number(memory?.reviewedAt);
    expect(dueInMs).toBe(minutes * 60_000);
  }
});

test('no answer is no review, nor is that of a player who has left', async () => {
  const settings = { roundMs: 3000, rounds: 1 };
  const { players } = await startGameOf(arena, ['Ada', 'Ben', 'Cy'], settings);
  const [ada, ben, cy] = players as [Player, Player, Player];
  await answer(arena, ada, 1, 'right');
  await answer(arena, ben, 1, 'right');
  ben.send({ type: 'lobby:leave' });
  const { answers } = await ada.next('game:answer_result');
  const judged = answers.filter(({ selectedOptionId }) => selectedOptionId !== null);
  // What is judged at once is remembered at once.
  const memories = await memoriesOf([ada, ben, cy], judged.length);
  expect(memories.map(({ userId }) => userId).toSorted()).toEqual(
    judged.map(({ userId }) => userId).toSorted(),
  );
  expect(judged.map(({ userId }) => userId)).not.toContain(cy.user.id);
});
