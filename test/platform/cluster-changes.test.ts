// A Redis Cluster changes while a game runs on it: an operator moves slots to other masters, and masters die and their
// replicas are promoted. Both happen to the slot of the lobby and to that of the clock queue. [contract 5.5, 5.9]
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { startArena } from '../support/arena.ts';
import { gather } from '../support/player.ts';
import { SHORT_OUTAGES } from '../support/service.ts';
import type { TestStores } from '../support/stores.ts';

const KEYS_AT_ONCE = 100;
const TIMEOUT_MS = 30_000;

/** @param nodes the comma-separated addresses of the masters @param key any key of the slot, which has some */
async function moveSlotOf(nodes: string, key: string): Promise<void> {
  const masters = nodes.split(',').map((url) => new Redis(url));
  try {
    const slot = Number(await masters[0]?.call('CLUSTER', 'KEYSLOT', key));
    const ids = await Promise.all(masters.map(async (node) => String(await node.call('CLUSTER', 'MYID'))));
    const counts = await Promise.all(masters.map((node) => node.call('CLUSTER', 'COUNTKEYSINSLOT', slot)));
    const owner = counts.findIndex((count) => Number(count) > 0);
    const from = masters[owner] as Redis;
    const target = (owner + 1) % masters.length;
    const to = masters[target] as Redis;
    await to.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', ids[owner] as string);
    await from.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', ids[target] as string);
    await moveKeys(from, to, slot);
    // The new owner is told first: the others redirect clients to it from then on.
    for (const node of [to, from, ...masters]) {
      await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', ids[target] as string);
    }
  } finally {
    for (const master of masters) master.disconnect();
  }
}

async function moveKeys(from: Redis, to: Redis, slot: number): Promise<void> {
  const { host, port } = to.options;
  for (;;) {
    const keys = (await from.call('CLUSTER', 'GETKEYSINSLOT', slot, KEYS_AT_ONCE)) as string[];
    if (keys.length === 0) return;
    const target = [host as string, port as number, '', 0, TIMEOUT_MS, 'KEYS', ...keys];
    await from.call('MIGRATE', ...(target as string[]));
  }
}

const ROUNDS = 4;
const ROUND_MS = 4000;
/** A key of the only clock queue. */
const QUEUES = '{quiz:clock:0}:clock:id';

type Change = (stores: TestStores, key: string) => Promise<void>;
/** The slots that change, by round. */
type Slots = Record<number, 'lobby' | 'queues'>;

const TITLE = 'during %s, a game loses no event, no answer and no round';
it.each<[string, number, Change, Slots]>([
  ['a resharding', 0, ({ redisUrl }, key) => moveSlotOf(redisUrl, key), { 1: 'lobby', 2: 'queues', 3: 'lobby' }],
  ['the loss of masters', 1, ({ failOver }, key) => failOver(key), { 1: 'lobby', 3: 'queues' }],
])(TITLE, { timeout: 150_000 }, async (_what, redisReplicas, change, slots) => {
  const env = { ...SHORT_OUTAGES, ROUND_DURATION_MS: String(ROUND_MS), CLOCK_QUEUES: '1' };
  const arena = await startArena({ redisReplicas, env });
  onTestFinished(() => arena.stop());
  const [ada, ben] = await arena.players('Ada', 'Ben');
  await gather([ada, ben], { settings: { rounds: ROUNDS } });
  const { lobby } = await ada.next('lobby:state');
  const keys = { lobby: `lobby:{${lobby.lobbyId}}`, queues: QUEUES };
  const seen = [ada, ben].map((player) => ({ player, before: player.lastSeq() }));
  ada.send({ type: 'lobby:start' });
  for (let round = 1; round <= ROUNDS; round++) {
    const { question } = await ben.next('game:question', (q) => q.round === round);
    // Ada alone answers, so that every round ends by its timer, and needs the queue.
    await ada.acked({ type: 'game:answer', questionId: question.questionId, optionId: 0 });
    const slot = slots[round];
    if (slot) await change(arena.stores, keys[slot]);
    const result = await ben.next('game:answer_result', (r) => r.round === round);
    expect(result.reason).toBe('timeout');
    expect(result.answers?.map((answer) => answer.selectedOptionId)).toEqual([0, null]);
  }
  await Promise.all([ada.next('game:finished'), ben.next('game:finished')]);
  for (const { player, before } of seen) {
    const seqs = player.messages.flatMap((message) => ('seq' in message ? message.seq : []));
    const expected = Array.from({ length: 2 * ROUNDS + 1 }, (_, at) => before + 1 + at);
    expect(seqs.filter((seq) => seq > before)).toEqual(expected);
  }
});
