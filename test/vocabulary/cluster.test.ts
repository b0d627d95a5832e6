// An import is announced to running replicas on a Redis Cluster too. [contract 9]
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/service.ts';
import { createPerson } from '../support/users.ts';
import { runVocab } from '../support/vocab-setup.ts';

const { service, stores } = useService();

test('a running replica serves imported terms at once', async () => {
  const { client } = await createPerson(service);
  const deck = { sourceLanguage: 'fr', targetLanguage: 'de', pos: 'verb', difficulty: 'C2' };
  const decks = async () => (await client.get('/api/v1/vocabulary')).body.decks;
  expect(await decks()).not.toContainEqual(expect.objectContaining(deck));
  const file = join(mkdtempSync(join(inject('temporaryFolder'), 'import-')), 'mine.jsonl');
  writeFileSync(file, JSON.stringify({ ...deck, sourceText: 'oser', targetText: 'wagen' }));
  const env = { DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl, REDIS_CLUSTER: 'true' };
  expect(await runVocab(['import', file], env)).toMatchObject({ code: 0, stderr: '' });
  await eventually(async () => expect(await decks()).toContainEqual(expect.objectContaining({ ...deck, terms: 1 })));
});
