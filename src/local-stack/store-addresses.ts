// Which stores a command speaks to: the environment's or, beside a running `npm run dev`, that one's.
import { readStoreUrls } from '../config.ts';
import { readStack } from './stack-file.ts';

export interface StoreAddresses {
  databaseUrl: string | undefined;
  redis: { url: string; cluster: boolean } | undefined;
  lobbyIdleTtlSeconds: number;
}

/** @throws ConfigError when a variable is bad; what nobody names is undefined */
export function findStores(): StoreAddresses {
  const { dataDir, databaseUrl, redisUrl, redisCluster, lobbyIdleTtlSeconds } = readStoreUrls();
  const stack = readStack(dataDir);
  const url = redisUrl ?? stack?.redisUrl;
  return {
    databaseUrl: databaseUrl ?? stack?.databaseUrl,
    redis: url ? { url, cluster: redisCluster } : undefined,
    lobbyIdleTtlSeconds,
  };
}
