// An import is announced to running replicas on a Redis Cluster too. [contract 9]
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { type RedisCluster, startRedisCluster } from '../support/redis-cluster.ts';
import { startService, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { createSignedInUser } from '../support/users.ts';
import { runVocab } from '../support/vocab-setup.ts';

let stores: TestStores;
let cluster: RedisCluster;
let service: TestService;
let client: HttpClient;

beforeAll(async () => {
  [stores, cluster] = await Promise.all([startStores(), startRedisCluster()]);
  const { databaseUrl } = stores;
  service = await startService({ databaseUrl, redisUrl: cluster.nodes }, { REDIS_CLUSTER: 'true' });
  const { cookie } = await createSignedInUser(service.services);
  client = createHttpClient(service.url, { cookie });
});
afterAll(async () => {
  await service?.stop();
  await cluster?.stop();
  await stores?.stop();
});

test('a running replica serves imported terms at once', async () => {
  const deck = { sourceLanguage: 'fr', targetLanguage: 'de', pos: 'verb', difficulty: 'C2' };
  const decks = async () => (await client.get('/api/v1/vocabulary')).body.decks;
  expect(await decks()).not.toContainEqual(expect.objectContaining(deck));
  const file = join(mkdtempSync(join(inject('temporaryFolder'), 'import-')), 'mine.jsonl');
  writeFileSync(file, JSON.stringify({ ...deck, sourceText: 'oser', targetText: 'wagen' }));
  const env = { DATABASE_URL: stores.databaseUrl, REDIS_URL: cluster.nodes, REDIS_CLUSTER: 'true' };
  expect(await runVocab(['import', file], env)).toMatchObject({ code: 0, stderr: '' });
  await eventually(async () => expect(await decks()).toContainEqual(expect.objectContaining({ ...deck, terms: 1 })));
});
