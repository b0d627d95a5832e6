// GET /api/v1/vocabulary lists what quizzes can ask, imports included. [contract 3]
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Deck, DIFFICULTIES, LANGUAGES, PARTS_OF_SPEECH } from '../../src/vocabulary/schema.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { startReplicas, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { createSignedInUser } from '../support/users.ts';
import { runVocab } from '../support/vocab-setup.ts';
import { importTestTerms } from '../support/vocabulary.ts';

const SMALL_DECK: Deck = { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' };

describe('GET /api/v1/vocabulary', () => {
  let stores: TestStores;
  let replicas: TestService[];
  let clients: HttpClient[];

  beforeAll(async () => {
    stores = await startStores({ hasWords: true });
    replicas = await startReplicas(stores, 2);
    const { cookie } = await createSignedInUser((replicas[0] as TestService).services);
    clients = replicas.map(({ url }) => createHttpClient(url, { cookie }));
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.stop();
    await stores.stop();
  });

  /** @returns the responses of all replicas */
  const getVocabulary = () => Promise.all(clients.map((client) => client.get('/api/v1/vocabulary')));

  test('lists languages, parts of speech, difficulties, and decks with their numbers of terms', async () => {
    for (const { status, body } of await getVocabulary()) {
      expect(status).toBe(200);
      expect({ ...body, decks: undefined }).toEqual({
        languages: [...LANGUAGES],
        partsOfSpeech: [...PARTS_OF_SPEECH],
        difficulties: [...DIFFICULTIES],
        decks: undefined,
      });
      expect(body.decks.length).toBeGreaterThanOrEqual(8);
      const { terms } = body.decks[0];
      const sources = [{ name: 'built-in', licence: 'CC0-1.0', terms }];
      expect(body.decks[0]).toEqual({ ...SMALL_DECK, terms, questions: expect.any(Number), sources });
      for (const { terms, questions } of body.decks) {
        expect(terms).toBeGreaterThanOrEqual(20);
        expect(questions).toBeGreaterThanOrEqual(20);
        expect(questions).toBeLessThanOrEqual(terms);
      }
    }
  });

  test('needs a signed-in user', async () => {
    const { url } = replicas[0] as TestService;
    const { status, body } = await createHttpClient(url).get('/api/v1/vocabulary');
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
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
      const env = { DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl };
      return runVocab(['import', file], env);
    };
    expect(await importLines(terms)).toMatchObject({ code: 0, stderr: '' });
    // Without the announcement, a replica would read the decks again only after a minute.
    await eventually(async () => {
      const sources = [{ name: 'mine.jsonl', licence: 'unknown', terms: 6 }];
      for (const { body } of await getVocabulary())
        expect(body.decks).toContainEqual({ ...deck, terms: 6, questions: 6, sources });
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
    const glossed = { strada: ['Straße', 'STRASSE'], isola: ['İl', 'i̇l'] };
    const pairs = [
      ...['uno', 'due', 'tre'].map((sourceText) => ({ sourceText })),
      ...Object.entries(glossed).flatMap(([sourceText, glosses]) =>
        glosses.map((sourceGloss) => ({ sourceText, sourceGloss })),
      ),
    ];
    const terms = pairs.map((pair, at) => ({ ...deck, ...pair, targetText: `d${at}` }));
    await importTestTerms(stores.databaseUrl, terms);
    const start = (questionCount: number) => client.post('/api/v1/game/start', { ...deck, questionCount });
    expect((await start(6)).body.code).toBe('NOT_ENOUGH_TERMS');
    expect((await start(5)).status).toBe(201);
    const { db } = (replicas[0] as TestService).services;
    expect((await db.deck.findFirstOrThrow({ where: deck })).questionCount).toBe(5);
  });

  test('shows a deck that was empty at once after an import that was not announced', async () => {
    const deck = { sourceLanguage: 'it', targetLanguage: 'fr', pos: 'adverb', difficulty: 'C1' };
    const request = { ...deck, questionCount: 4 };
    const client = clients[0] as HttpClient;
    expect((await client.post('/api/v1/game/start', request)).body.code).toBe('NO_MATCHING_TERMS');
    // Only the command announces an import.
    await importTestTerms(
      stores.databaseUrl,
      Array.from({ length: 4 }, (_, at) => ({ ...deck, sourceText: `i${at}`, targetText: `f${at}` })),
    );
    expect((await client.post('/api/v1/game/start', request)).status).toBe(201);
  });
});
