// The answers of a multiplayer game update what the service has learned about its players; vitest.config.ts
// runs this on a Redis Cluster too. [contract 13]
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Arena, startArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { answer, startGame } from '../support/game.ts';
import type { Player } from '../support/player.ts';
import type { TestService } from '../support/service.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await startArena();
});
afterAll(async () => {
  await arena.stop();
});

/** Waits until so many learned words of these players are stored. */
function learnedWordsOf(players: Player[], count: number) {
  const { db } = (arena.replicas[0] as TestService).services;
  const userIds = players.map(({ user }) => user.id);
  return eventually(async () => {
    const rows = await db.learnedWord.findMany({ where: { userId: { in: userIds } } });
    expect(rows).toHaveLength(count);
    return rows;
  });
}

test('each judged answer updates the learned word of its user', async () => {
  const { ada, ben } = await startGame(arena, { rounds: 1 });
  // Who wins has entered last.
  await answer(arena, ada, 1, 'wrong');
  await answer(arena, ben, 1, 'right');
  const { question } = await ada.next('game:question', ({ round }) => round === 1);
  const learnedWords = await learnedWordsOf([ada, ben], 2);
  for (const [player, minutes] of [
    [ada, 1],
    [ben, 10],
  ] as const) {
    const learnedWord = learnedWords.find(({ userId }) => userId === player.user.id);
    expect(learnedWord?.sourceKey).toBe(question.prompt.toLowerCase());
    expect(learnedWord?.gloss ?? undefined).toBe(question.gloss);
    const dueInMs = Number(learnedWord?.due) - Number(learnedWord?.reviewedAt);
    expect(dueInMs).toBe(minutes * 60_000);
  }
});
