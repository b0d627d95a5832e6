// Two players play a whole game on two replicas, one by a socket, the other by a stream and requests. [contract 5, 24]
import { describe, expect, it, onTestFinished } from 'vitest';
import { useArena } from '../support/arena.ts';
import { startBalancer } from '../support/balancer.ts';
import { playJudged } from '../support/oracle.ts';
import { gather, type Player } from '../support/player.ts';

const arena = useArena({ lines: ['socket', 'stream'], env: { ROUND_DURATION_MS: '6000' } });

const gameEvents = (player: Player) => player.messages.filter((message) => message.type.startsWith('game:'));

describe('a game of two on two replicas', () => {
  it('sends question and result in turn, then game:finished, the same to both', async () => {
    const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
    const code = await gather([ada, ben]);
    ada.send({ type: 'lobby:start' });
    for (let round = 1; round <= 3; round++) {
      for (const player of [ada, ben]) {
        const { question, gameId } = await player.next('game:question', (q) => q.round === round);
        expect(gameId).toMatch(/^[0-9a-f-]{36}$/);
        player.send({ type: 'game:answer', questionId: question.questionId, optionId: 1 });
      }
      const result = await ben.next('game:answer_result', (r) => r.round === round);
      expect(result.reason).toBe('all_answered');
    }
    const finished = await ada.next('game:finished');
    await ben.next('game:finished');
    expect(gameEvents(ada).map((message) => message.type)).toEqual([
      'game:question',
      'game:answer_result',
      'game:question',
      'game:answer_result',
      'game:question',
      'game:answer_result',
      'game:finished',
    ]);
    const withoutTime = (player: Player) => gameEvents(player).map((message) => ({ ...message, remainingMs: 0 }));
    expect(withoutTime(ada)).toEqual(withoutTime(ben));
    const stored = await ada.http.get(`/api/v1/games/${finished.gameId}`);
    expect(stored.status).toBe(200);
    expect(stored.body.code).toBe(code);
    expect(stored.body.winnerIds).toEqual(finished.winnerIds);
    expect(finished.winnerIds).toHaveLength(2);
  });
});

it.each([false, true])('of a game of three on both, nothing is lost, late or wrong; compact: %s', async (compact) => {
  const balancer = await startBalancer(arena.replicas.map(({ config }) => config.port));
  onTestFinished(() => balancer.stop());
  const players = await Promise.all(['Ada', 'Ben', 'Cleo'].map((name) => arena.player(name)));
  const accounts = players.map(({ user }) => user);
  expect(await playJudged(balancer.url, accounts, { compact, scoring: 'speed' }, 0.5)).toEqual([]);
});
