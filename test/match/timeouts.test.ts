// The timer ends rounds, and all events come in order. [contract 5.5, 5.6]
import { describe, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { answer, eventsOf, gameEventsOf, startGame, startGameOf } from '../support/game.ts';
import { gather, type Player, playerOf } from '../support/player.ts';

/** The time of a round, in ms: enough to answer on a busy machine, and short enough to wait for its end. */
const ROUND_MS = 4000;

const arena = useArena({ env: { ROUND_DURATION_MS: `${ROUND_MS}` } });

describe('a round', () => {
  it('ends by the timer when its time is over, with null and no points for missing answers', async () => {
    const { ada, ben } = await startGame(arena, { rounds: 1 });
    const { deadline, durationMs } = await ada.next('game:question');
    expect(durationMs).toBe(ROUND_MS);
    const selectedOptionId = await answer(arena, ada, 1, 'right');
    const result = await ben.next('game:answer_result');
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(deadline) - 5);
    expect(result.reason).toBe('timeout');
    expect(result.answers).toEqual([
      { userId: ada.user.id, selectedOptionId, isCorrect: true, points: 1 },
      { userId: ben.user.id, selectedOptionId: null, isCorrect: false, points: 0 },
    ]);
  });

  it('waits until the deadline for a disconnected player', async () => {
    const { ada, ben } = await startGame(arena, { rounds: 1 });
    const seen = ada.messages.length;
    ben.drop();
    await ada.next('lobby:state', ({ lobby }) => lobby.players[1]?.connected === false, seen);
    await answer(arena, ada, 1, 'right');
    const result = await ada.next('game:answer_result');
    expect(result.reason).toBe('timeout');
    expect(result.answers).toHaveLength(2);
    expect((await ada.next('game:finished')).scores).toHaveLength(2);
  });

  it('ends exactly once, however many clocks, answers and game:ready messages arrive at once', async () => {
    const extra = await Promise.all([arena.startWorker(), arena.startWorker()]);
    const players = await arena.players('Ada', 'Ben', 'Carl', 'Dora');
    const [ada] = players as [Player];
    const code = await gather(players, { settings: { rounds: 2 } });
    // The watcher is connected from the start, so that it gets every result.
    const watcher = playerOf(ada.user, arena.replicas[1]?.url as string);
    await watcher.connect();
    watcher.send({ type: 'lobby:join', code });
    await watcher.next('lobby:state');
    ada.send({ type: 'lobby:start' });
    for (const round of [1, 2]) {
      const { remainingMs } = await ada.next('game:question', (asked) => asked.round === round);
      // All players ask for the question exactly at the deadline.
      setTimeout(() => {
        for (const player of players) player.send({ type: 'game:ready' });
      }, remainingMs);
      await ada.next('game:answer_result', (result) => result.round === round);
    }
    await watcher.next('game:finished');
    const results = eventsOf(watcher).filter(({ type }) => type === 'game:answer_result');
    expect(results).toHaveLength(2);
    await Promise.all(extra.map((worker) => worker.stop()));
  });
});

describe('on every socket', () => {
  it('question r comes before result r, result r before question r + 1, and game:finished last', async () => {
    const rounds = 4;
    const { players } = await startGameOf(arena, ['Ada', 'Ben', 'Carl', 'Dora'], { rounds });
    const [ada, , carl] = players as [Player, Player, Player, Player];
    // Odd rounds end by the last answer, even ones by the timer.
    for (const round of [1, 2, 3, 4]) {
      const answering = round % 2 ? players : players.slice(1);
      await Promise.all(answering.map((player) => answer(arena, player, round, 'right')));
      await carl.next('game:answer_result', (result) => result.round === round);
    }
    const expected = [1, 2, 3, 4].flatMap((round) => [
      ['game:question', round],
      ['game:answer_result', round],
    ]);
    for (const player of players) {
      await player.next('game:finished');
      const received = gameEventsOf(player).map((event) => [event.type, 'round' in event && event.round]);
      expect(received).toEqual([...expected, ['game:finished', false]]);
      expect(gameEventsOf(player)).toEqual(gameEventsOf(ada));
    }
    const questions = gameEventsOf(ada).flatMap((event) => (event.type === 'game:question' ? [event] : []));
    expect(new Set(questions.map(({ question }) => question.questionId)).size).toBe(rounds);
    expect(new Set(questions.map(({ question }) => `${question.prompt}|${question.gloss}`)).size).toBe(rounds);
    for (const { totalRounds, gameId } of questions)
      expect([totalRounds, gameId]).toEqual([rounds, questions[0]?.gameId]);
  });
});
