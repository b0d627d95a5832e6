// A service that reaches PostgreSQL and Redis through proxies, so that a test can cut it off from either.
import { afterAll, beforeAll } from 'vitest';
import { SHORT_OUTAGES, startService, type TestService } from './service.ts';
import { startStores, type TestStores } from './stores.ts';
import { startProxyOf, type TcpProxy } from './tcp-proxy.ts';

export interface ProxiedService {
  stores: TestStores;
  postgres: TcpProxy;
  redis: TcpProxy;
  service: TestService;
}

/** All of it exists from the file's first `beforeAll` until its last `afterAll`. */
export function useProxiedService(options: { hasWords?: boolean } = {}): ProxiedService {
  const [stores, service] = [{}, {}] as [TestStores, TestService];
  const [postgres, redis] = [{}, {}] as [TcpProxy, TcpProxy];
  beforeAll(async () => {
    Object.assign(stores, await startStores(options));
    const toPostgres = await startProxyOf(stores.databaseUrl);
    const toRedis = await startProxyOf(stores.redisUrl);
    Object.assign(postgres, toPostgres.proxy);
    Object.assign(redis, toRedis.proxy);
    const addresses = { databaseUrl: toPostgres.url, redisUrl: toRedis.url };
    Object.assign(service, await startService(addresses, SHORT_OUTAGES));
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([postgres.stop(), redis.stop()]);
    await stores.stop();
  });
  return { stores, postgres, redis, service };
}
