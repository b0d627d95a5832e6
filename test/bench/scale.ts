// What a start costs with a thousand, a hundred thousand and a million words in its deck, at random and by
// the memory of somebody who remembers 20,000.
import pg from 'pg';
import { wordId } from '../../src/learning/word-ids.ts';
import { promptKey, wordsName } from '../../src/vocabulary/rules.ts';
import type { Deck } from '../../src/vocabulary/schema.ts';
import { createSignedInUser } from '../support/users.ts';
import type { Child } from './child.ts';
import type { Figure } from './figures.ts';
import { type HttpConnection, openHttp } from './http-load.ts';
import { measure } from './meter.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 4;
/** Not counted: until wrong options have been chosen for most words that a replica holds. */
const WARM_UP = 3;
const CONNECTIONS = 16;
const STARTS = 640;
const QUESTIONS = 10;
/** Decks that no built-in list fills, since only those from English to Italian are loaded. */
const DIRECTION = { sourceLanguage: 'de', targetLanguage: 'fr', pos: 'noun' } as const;
const DECKS = [
  { name: '1,000', terms: 1000, remembered: 1000, deck: { ...DIRECTION, difficulty: 'A1' } },
  { name: '100,000', terms: 100_000, remembered: 9500, deck: { ...DIRECTION, difficulty: 'B1' } },
  {
    name: '1,000,000',
    terms: 1_000_000,
    remembered: 9500,
    deck: { ...DIRECTION, difficulty: 'C1' },
  },
] as const;
const ORDERS = ['random', 'smart'] as const;

export async function measureScale(stage: Stage): Promise<Figure[]> {
  const { cookie, id: userId } = await createSignedInUser(stage.services);
  await fillDecks(stage.databaseUrl, userId);
  const api = await stage.startApi();
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openHttp(api.url, cookie)),
  );
  const costs = new Map<string, number[]>();
  const costsOf = (name: string, order: string) => costs.get(`${name} ${order}`) ?? [];
  for (let repetition = -WARM_UP; repetition < REPETITIONS; repetition++)
    for (const { name, deck } of DECKS)
      for (const order of ORDERS) {
        const cost = await costOfStart(stage, api, connections, { ...deck, order });
        if (repetition >= 0) costs.set(`${name} ${order}`, [...costsOf(name, order), cost]);
      }
  for (const connection of connections) connection.close();
  await api.stop();
  return DECKS.flatMap(({ name }) => [
    {
      ...{ name: `a start, ${name} terms, random`, unit: 'µs', values: costsOf(name, 'random') },
      floor: { name: `random of ${DECKS[0].name}`, values: costsOf(DECKS[0].name, 'random') },
    },
    {
      ...{ name: `a start, ${name} terms, smart`, unit: 'µs', values: costsOf(name, 'smart') },
      floor: { name: `random of ${name}`, values: costsOf(name, 'random') },
    },
  ]);
}

/** @returns CPU of all processes, µs */
async function costOfStart(
  stage: Stage,
  api: Child,
  connections: HttpConnection[],
  request: object,
): Promise<number> {
  const { cost } = await measure(stage, { apis: [api] }, () =>
    Promise.all(
      connections.map(async (connection) => {
        for (let count = 0; count < STARTS / CONNECTIONS; count++)
          await connection.post(
            ...['/api/v1/game/start', { ...request, questionCount: QUESTIONS }, 201],
          );
      }),
    ),
  );
  return (cost.all * 1000) / STARTS;
}

async function fillDecks(databaseUrl: string, userId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('SET statement_timeout = 0');
  for (const { deck, terms, remembered } of DECKS) {
    const id = await insertDeck(client, deck, terms);
    await remember(client, userId, { id, deck, remembered });
  }
  // As the server does by itself a little later.
  await client.query('VACUUM ANALYZE term, learned_word, deck');
  await client.end();
}

/** Words of letters without a meaning, each with a translation that is none. */
const WORD = (of: string) =>
  `substr(translate(md5('${of}' || $1::int || ' ' || n), '0123456789', 'ghijklmnop'), 1, 12)`;

async function insertDeck(client: pg.Client, deck: Deck, terms: number): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO deck (source_language, target_language, pos, difficulty, term_count, question_count)
     VALUES ($1, $2, $3, $4, $5, $5) RETURNING id`,
    [deck.sourceLanguage, deck.targetLanguage, deck.pos, deck.difficulty, terms],
  );
  const id = rows[0]?.id as number;
  await client.query(
    `INSERT INTO term (deck_id, source_text, target_text, source_key, target_key)
     SELECT $1, source, target, source, target
       FROM (SELECT ${WORD('source')} AS source, ${WORD('target')} AS target
               FROM generate_series(1, $2::int) AS n) AS words`,
    [id, terms],
  );
  return id;
}

/** Half of the words are due. */
async function remember(
  client: pg.Client,
  userId: string,
  { id, deck, remembered }: { id: number; deck: Deck; remembered: number },
): Promise<void> {
  const { rows } = await client.query<{ key: string }>(
    'SELECT source_key AS key FROM term WHERE deck_id = $1 LIMIT $2',
    [id, remembered],
  );
  const keys = rows.map(({ key }) => key);
  const words = keys.map((sourceKey) =>
    wordId(wordsName(deck), promptKey({ sourceKey, sourceGloss: null })),
  );
  await client.query(
    `INSERT INTO learned_word (user_id, word, deck_id, source_key, due, stability, difficulty, state,
                               step, scheduled_days, reps, lapses, reviewed_at)
     SELECT $1, word, $2, key, now() + (random() - 0.5) * interval '60 days', 30, 5, 2, 0, 30, 3, 0,
            now() - interval '30 days'
       FROM unnest($3::uuid[], $4::text[]) AS learned (word, key)`,
    [userId, id, words, keys],
  );
}
