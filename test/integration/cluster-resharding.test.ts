// A Redis Cluster is resharded while a game runs on it: the lobby's slot moves to another master, and
// so does that of the queues. [contract 5.5, 5.9]
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Arena, startArena } from '../support/arena.ts';
import { gather, type Player } from '../support/player.ts';
import { moveSlotOf } from '../support/reshard.ts';

const ROUNDS = 4;

let arena: Arena;
beforeAll(async () => {
  arena = await startArena({ env: { ROUND_DURATION_MS: '4000' } });
});
afterAll(() => arena?.stop());

describe('a resharding in the middle of a game', () => {
  it('costs no event, no answer and no round', async () => {
    const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
    await gather([ada, ben], { settings: { rounds: ROUNDS } });
    const { lobby } = await ada.next('lobby:state');
    const seen = [ada.lastSeq(), ben.lastSeq()];
    ada.send({ type: 'lobby:start' });
    for (let round = 1; round <= ROUNDS; round++) {
      const { question } = await ben.next('game:question', (q) => q.round === round);
      // Ada alone answers: every round needs its timer, and so the queue.
      ada.send({ type: 'game:answer', questionId: question.questionId, optionId: 0 });
      if (round === 1) await moveSlotOf(arena.stores.redisUrl, `lobby:{${lobby.lobbyId}}`);
      if (round === 2) await moveSlotOf(arena.stores.redisUrl, '{quiz}:clock:id');
      if (round === 3) await moveSlotOf(arena.stores.redisUrl, `lobby:{${lobby.lobbyId}}`);
      const result = await ben.next('game:answer_result', (r) => r.round === round);
      expect(result.reason).toBe('timeout');
      expect(result.answers.map((answer) => answer.selectedOptionId)).toEqual([0, null]);
    }
    await Promise.all([ada.next('game:finished'), ben.next('game:finished')]);
    for (const [i, player] of [ada, ben].entries()) {
      const seqs = player.messages.flatMap((message) =>
        'seq' in message && message.seq > (seen[i] as number) ? [message.seq] : [],
      );
      expect(seqs).toEqual(seqs.map((_, j) => (seen[i] as number) + 1 + j));
      expect(seqs).toHaveLength(2 * ROUNDS + 1);
    }
  }, 120_000);
});
