// Simulates, for one lobby, a failover that loses the last writes: it restores an earlier state of the
// lobby's keys.
import type { Redis } from 'ioredis';
import { lobbyKeys, socketsKey } from '../../src/lobby/keys.ts';

/** Records a lobby's keys. @returns a function that restores them */
export async function snapshotLobby(redis: Redis, lobbyId: string): Promise<() => Promise<void>> {
  const [lobby, log] = lobbyKeys(lobbyId);
  const keys = [lobby, log, socketsKey(lobbyId), `${lobby}:match`];
  // A transaction reads a consistent state, since replicas go on writing.
  const transaction = redis.multi();
  for (const key of keys) transaction.dumpBuffer(key);
  const saved = ((await transaction.exec()) ?? []).map(([error, value], index) => {
    if (error) throw error;
    return { key: keys[index] as string, value: value as Buffer | null };
  });
  return async () => {
    const step = redis.multi();
    for (const { key, value } of saved) {
      if (value) step.restore(key, 3_600_000, value, 'REPLACE');
      else step.del(key);
    }
    for (const [error] of (await step.exec()) ?? []) if (error) throw error;
  };
}
