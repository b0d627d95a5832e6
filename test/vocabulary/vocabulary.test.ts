// GET /api/v1/vocabulary lists what quizzes can ask, imports included; vitest.config.ts runs this on a Redis Cluster too.
// [contract 3, 9]
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { DIFFICULTIES, LANGUAGES, PARTS_OF_SPEECH } from '../../src/vocabulary/schema.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { useReplicas } from '../support/service.ts';
import { createPerson } from '../support/users.ts';
import { runVocab } from '../support/vocab-setup.ts';
import { A1_NOUNS, importTestTerms } from '../support/vocabulary.ts';

const { replicas, stores } = useReplicas(2, {}, { hasWords: true });

describe('GET /api/v1/vocabulary', () => {
  let clients: HttpClient[];
  beforeAll(async () => {
    const { client } = await createPerson(replicas[0]);
    clients = replicas.map(({ url }) => client.at(url));
  });

  /** @returns the responses of all replicas */
  const getVocabulary = () => Promise.all(clients.map((client) => client.get('/api/v1/vocabulary')));

  test('lists languages, parts of speech, difficulties, and decks with their numbers of terms', async () => {
    for (const { status, body } of await getVocabulary()) {
      expect(status).toBe(200);
      const { decks } = body;
      expect(body).toEqual({ languages: LANGUAGES, partsOfSpeech: PARTS_OF_SPEECH, difficulties: DIFFICULTIES, decks });
      expect(decks.length).toBeGreaterThanOrEqual(8);
      const { terms, topics } = decks[0];
      const sources = [{ name: 'built-in', licence: 'CC0-1.0', terms }];
      expect(decks[0]).toEqual({ ...A1_NOUNS, terms, questions: expect.any(Number), topics, sources });
      for (const { terms, questions, topics } of decks) {
        for (const topic of topics) expect(topic).toEqual({ topic: expect.any(String), questions: expect.any(Number) });
        expect(Math.min(...topics.map((topic: { questions: number }) => topic.questions))).toBeGreaterThanOrEqual(4);
        expect(terms).toBeGreaterThanOrEqual(20);
        expect(questions).toBeGreaterThanOrEqual(20);
        expect(questions).toBeLessThanOrEqual(terms);
      }
    }
  });

  test('[contract 26] can be kept for five minutes, and is sent again only where it has changed, and packed', async () => {
    const [one, other] = await getVocabulary();
    const etag = one?.headers.get('etag') ?? '';
    expect(other?.headers.get('etag')).toBe(etag);
    const [client] = clients as [HttpClient];
    const ask = (headers: Record<string, string>) => client.request('GET', '/api/v1/vocabulary', { headers });
    for (const version of [etag, 'W/"other"']) {
      const { status, headers } = await ask({ 'if-none-match': version });
      expect(status).toBe(version === etag ? 304 : 200);
      expect(headers.get('cache-control')).toBe('private, max-age=300');
      expect(headers.get('etag')).toBe(etag);
    }
    const packed = await ask({ 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(10_000);
    const refused = await createHttpClient(replicas[0].url).get('/api/v1/vocabulary');
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect((await client.get('/api/v1/lists')).headers.get('cache-control')).toBe('no-store');
  });

  test('shows imported terms at once on all running replicas', async () => {
    const deck = { sourceLanguage: 'de', targetLanguage: 'fr', pos: 'verb', difficulty: 'C2' };
    const request = { ...deck, questionCount: 5 };
    const start = () => Promise.all(clients.map((client) => client.post('/api/v1/game/start', request)));
    await getVocabulary();
    for (const { body } of await start()) expect(body.code).toBe('NO_MATCHING_TERMS');

    const terms = Array.from({ length: 6 }, (_, at) => ({ ...deck, sourceText: `d${at}`, targetText: `f${at}` }));
    const file = join(mkdtempSync(join(inject('temporaryFolder'), 'import-')), 'mine.jsonl');
    const importLines = (lines: object[]) => {
      writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
      const redis = { REDIS_URL: stores.redisUrl, REDIS_CLUSTER: String(stores.isCluster) };
      return runVocab(['import', file], { DATABASE_URL: stores.databaseUrl, ...redis });
    };
    expect(await importLines(terms)).toMatchObject({ code: 0, stderr: '' });
    // Without the announcement, a replica would read the decks again only after a minute.
    await eventually(async () => {
      const sources = [{ name: 'mine.jsonl', licence: 'unknown', terms: 6 }];
      for (const { body } of await getVocabulary())
        expect(body.decks).toContainEqual({ ...deck, terms: 6, questions: 6, topics: [], sources });
      for (const { status } of await start()) expect(status).toBe(201);
    });

    const glosses = terms.map((term) => ({ ...term, sourceGloss: 'renewed' }));
    expect(await importLines(glosses)).toMatchObject({ code: 0, stderr: '' });
    await eventually(async () => {
      for (const { body } of await start()) for (const { gloss } of body.questions) expect(gloss).toBe('renewed');
    });
  });

  test('counts a question once whose glosses differ in case alone, as ß and SS do', async () => {
    const deck = { sourceLanguage: 'it', targetLanguage: 'de', pos: 'adverb', difficulty: 'C2' };
    const [client] = clients as [HttpClient];
    const prompts = [
      ...['uno', 'due', 'tre'].map((sourceText) => ({ sourceText })),
      ...['Straße', 'STRASSE'].map((sourceGloss) => ({ sourceText: 'strada', sourceGloss })),
      ...['İl', 'i̇l'].map((sourceGloss) => ({ sourceText: 'isola', sourceGloss })),
    ];
    const terms = prompts.map((prompt, at) => ({ ...prompt, targetText: `d${at}` }));
    await importTestTerms(stores.databaseUrl, terms, deck);
    const start = (questionCount: number) => client.post('/api/v1/game/start', { ...deck, questionCount });
    expect((await start(6)).body.code).toBe('NOT_ENOUGH_TERMS');
    expect((await start(5)).status).toBe(201);
    const { db } = replicas[0].services;
    expect((await db.deck.findFirstOrThrow({ where: deck })).questionCount).toBe(5);
  });
});
