// Masters of a Redis Cluster die while a game runs on them: the one of the lobby, and the one of the
// queues. A replica is voted into the place of each. [contract 5.5, 5.9]
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Arena, startArena } from '../support/arena.ts';
import { gather, type Player } from '../support/player.ts';

const ROUNDS = 4;
/** Longer than the vote, which is called two seconds after a master was heard of last. */
const ROUND_MS = 2500;

let arena: Arena;
beforeAll(async () => {
  arena = await startArena({ redisReplicas: 1, env: { ROUND_DURATION_MS: String(ROUND_MS) } });
});
afterAll(() => arena?.stop());

describe('the loss of a master in the middle of a game', () => {
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
      // The replica gets it within milliseconds; what it has not got yet would be lost.
      await sleep(200);
      if (round === 1) await arena.stores.failOver(`lobby:{${lobby.lobbyId}}`);
      if (round === 3) await arena.stores.failOver('{quiz}:clock:id');
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
  }, 90_000);
});
