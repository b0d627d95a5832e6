// Moves a hash slot of a running cluster to another master, as an operator's resharding does.
// https://redis.io/docs/latest/commands/cluster-setslot/
import { Redis } from 'ioredis';

const KEYS_AT_ONCE = 100;
const TIMEOUT_MS = 5000;

/**
 * @param nodes the comma-separated addresses of the masters
 * @param key any key of the slot
 */
export async function moveSlotOf(nodes: string, key: string): Promise<void> {
  const masters = nodes.split(',').map((url) => new Redis(url));
  try {
    const slot = Number(await masters[0]?.call('CLUSTER', 'KEYSLOT', key));
    const ids = await Promise.all(masters.map(async (node) => String(await node.call('CLUSTER', 'MYID'))));
    const owner = await ownerOf(masters, slot);
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

async function ownerOf(masters: Redis[], slot: number): Promise<number> {
  const ranges = await Promise.all(
    masters.map(async (node) => {
      const text = String(await node.call('CLUSTER', 'NODES'));
      const own = text.split('\n').find((line) => line.includes('myself')) ?? '';
      return own
        .split(' ')
        .slice(8)
        .map((range) => range.split('-').map(Number));
    }),
  );
  return ranges.findIndex((own) => own.some(([first = Number.NaN, last = first]) => first <= slot && slot <= last));
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
