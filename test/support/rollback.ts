// A failover that loses the last writes, for one lobby: its keys as they were a moment ago.
import type { Redis } from 'ioredis';
import { lobbyKeys, socketsKey } from '../../src/lobby/keys.ts';

/** Notes what Redis knows of a lobby. @returns what makes it forget all that came later */
export async function rememberLobby(redis: Redis, lobbyId: string): Promise<() => Promise<void>> {
  const [lobby, log] = lobbyKeys(lobbyId);
  const keys = [lobby, log, socketsKey(lobbyId), `${lobby}:match`];
  // In one step: the lobby's replicas go on writing.
  const look = redis.multi();
  for (const key of keys) look.dumpBuffer(key);
  const kept = ((await look.exec()) ?? []).map(([error, value], index) => {
    if (error) throw error;
    return { key: keys[index] as string, value: value as Buffer | null };
  });
  return async () => {
    const step = redis.multi();
    for (const { key, value } of kept) {
      if (value) step.restore(key, 3_600_000, value, 'REPLACE');
      else step.del(key);
    }
    for (const [error] of (await step.exec()) ?? []) if (error) throw error;
  };
}
