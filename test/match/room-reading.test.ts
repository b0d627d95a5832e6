// A question can stand for a while before it can be answered. [contract 22]
import { expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { answer, questionIdOf, resultOf, startGame } from '../support/game.ts';

const ROUND_MS = 20_000;

const arena = useArena({ env: { ROUND_DURATION_MS: `${ROUND_MS}` } });

it('a question cannot be answered before readMs, three seconds later in the first round, and its time counts from then', async () => {
  const settings = { readMs: 1500, rounds: 2, scoring: 'speed' };
  const { ada, ben } = await startGame(arena, settings);
  for (const [round, opensInMs] of [
    [1, 4500],
    [2, 1500],
  ] as const) {
    const asked = await ada.next('game:question', (question) => question.round === round);
    expect(asked).toMatchObject({ opensInMs, durationMs: ROUND_MS });
    expect(asked.remainingMs).toBe(opensInMs + ROUND_MS);
    const questionId = await questionIdOf(ada, round);
    expect(await ada.refused({ type: 'game:answer', questionId, optionId: 0 })).toMatchObject({
      code: 409,
      reason: 'ROUND_CLOSED',
    });
    const seen = ada.messages.length;
    ada.send({ type: 'game:ready' });
    const snapshot = await ada.next('game:question', () => true, seen);
    expect(snapshot.opensInMs).toBeGreaterThan(0);
    expect(snapshot.opensInMs).toBeLessThanOrEqual(opensInMs);
    await new Promise((resolve) => setTimeout(resolve, snapshot.opensInMs + 50));
    for (const player of [ada, ben]) await answer(arena, player, round, 'right');
    const { answers = [] } = await resultOf(ada, round);
    // An answer at the opening scores 1000, and one second later 25 less.
    for (const { points } of answers) expect(points).toBeGreaterThan(800);
  }
});

it('without readMs a question can be answered at once', async () => {
  const { ada } = await startGame(arena);
  expect(await ada.next('game:question')).toMatchObject({ opensInMs: 0, remainingMs: ROUND_MS });
});
