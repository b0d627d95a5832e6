// Finds the stores of a command: those of the environment, or those of a running `npm run dev`.
import { readStoreUrls } from '../../config.ts';
import { readStack } from './stack-file.ts';

export interface StoreAddresses {
  databaseUrl: string | undefined;
  redis: { url: string; cluster: boolean } | undefined;
  lobbyIdleTtlSeconds: number;
  clockQueues: number;
}

/** @returns the addresses; one that is not configured is undefined @throws ConfigError if a variable is invalid */
export function findStores(): StoreAddresses {
  const { dataDir, databaseUrl, redisUrl, redisCluster, ...settings } = readStoreUrls();
  const stack = readStack(dataDir);
  const url = redisUrl ?? stack?.redisUrl;
  return {
    databaseUrl: databaseUrl ?? stack?.databaseUrl,
    redis: url ? { url, cluster: redisCluster } : undefined,
    ...settings,
  };
}
