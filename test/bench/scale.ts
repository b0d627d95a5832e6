// Measures the cost of a random and a smart start, for a user with 20,000 learned words: with 200, 1,000,
// 100,000 and 1,000,000 words in the deck.
import pg from 'pg';
import { wordId } from '../../src/learning/word-ids.ts';
import { promptKey, wordsName } from '../../src/vocabulary/rules.ts';
import { type Deck, DIFFICULTIES, PARTS_OF_SPEECH } from '../../src/vocabulary/schema.ts';
import { createSignedInUser } from '../support/users.ts';
import type { Child } from './child.ts';
import type { Figure } from './figures.ts';
import { type HttpConnection, openHttp } from './http-load.ts';
import { measure } from './meter.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 4;
/**
 * The first repetitions don't count: until then wrong options are chosen for most words in a replica's
 * memory.
 */
const WARM_UP = 3;
const CONNECTIONS = 16;
const STARTS = 640;
const QUESTIONS = 10;
/** Decks without built-in words, since only those from English to Italian are loaded. */
const DIRECTION = { sourceLanguage: 'de', targetLanguage: 'fr', pos: 'noun' } as const;
const EVERYDAY = { sourceLanguage: 'fr', targetLanguage: 'es', pos: 'noun', difficulty: 'A1' } as const;

/** A deck with its number of terms; `dueShare` of the learned words is due. */
interface Case {
  name: string;
  deck: Deck;
  terms: number;
  remembered: number;
  dueShare: number;
}

/** For a user who knows most words of many decks. */
const SPREAD: Case = { name: '200', deck: EVERYDAY, terms: 200, remembered: 167, dueShare: 0.05 };
/** For a user who has learned only three decks: nearly all of the first, and much of two imported ones. */
const HEAPED = (
  [
    ['1,000', 'A1', 1000, 1000],
    ['100,000', 'B1', 100_000, 9500],
    ['1,000,000', 'C1', 1_000_000, 9500],
  ] as const
).map(
  ([name, difficulty, terms, remembered]): Case => ({
    name,
    deck: { ...DIRECTION, difficulty },
    terms,
    remembered,
    dueShare: 0.5,
  }),
);
const CASES = [SPREAD, ...HEAPED];
const ORDERS = ['random', 'smart'] as const;

export async function measureScale(stage: Stage): Promise<Figure[]> {
  const [spread, heaped] = [await createSignedInUser(stage.services), await createSignedInUser(stage.services)];
  await fillDecks(stage.databaseUrl, { spread: spread.id, heaped: heaped.id });
  const api = await stage.startApi();
  const open = ({ cookie }: { cookie: string }) =>
    Promise.all(Array.from({ length: CONNECTIONS }, () => openHttp(api.url, cookie)));
  const [ofSpread, ofHeaped] = [await open(spread), await open(heaped)];
  const costs = new Map<string, number[]>();
  const costsOf = (name: string, order: string) => costs.get(`${name} ${order}`) ?? [];
  for (let repetition = -WARM_UP; repetition < REPETITIONS; repetition++)
    for (const each of CASES)
      for (const order of ORDERS) {
        const connections = each === SPREAD ? ofSpread : ofHeaped;
        const cost = await costOfStart(stage, api, connections, { ...each.deck, order });
        if (repetition >= 0) costs.set(`${each.name} ${order}`, [...costsOf(each.name, order), cost]);
      }
  for (const connection of [...ofSpread, ...ofHeaped]) connection.close();
  await api.stop();
  return CASES.flatMap(({ name }) => [
    {
      name: `a start, ${name} terms, random`,
      unit: 'µs',
      values: costsOf(name, 'random'),
      floor: { name: 'random of 1,000', values: costsOf('1,000', 'random') },
    },
    {
      name: `a start, ${name} terms, smart`,
      unit: 'µs',
      values: costsOf(name, 'smart'),
      floor: { name: `random of ${name}`, values: costsOf(name, 'random') },
    },
  ]);
}

/** @returns CPU of all processes, µs */
async function costOfStart(stage: Stage, api: Child, connections: HttpConnection[], request: object): Promise<number> {
  const { cost } = await measure(stage, { apis: [api] }, () =>
    Promise.all(
      connections.map(async (connection) => {
        for (let count = 0; count < STARTS / CONNECTIONS; count++)
          await connection.post('/api/v1/game/start', { ...request, questionCount: QUESTIONS }, 201);
      }),
    ),
  );
  return (cost.all * 1000) / STARTS;
}

/** Each of the two users gets 20,000 learned words. */
async function fillDecks(databaseUrl: string, users: { spread: string; heaped: string }): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('SET statement_timeout = 0');
  for (const heap of HEAPED) await insertCase(client, users.heaped, heap);
  for (const deck of everydayDecks()) await insertCase(client, users.spread, { ...SPREAD, deck });
  // PostgreSQL would do this by itself a little later.
  await client.query('VACUUM ANALYZE term, learned_word, deck');
  await client.end();
}

/** @returns 120 decks, EVERYDAY first: five directions, each with all parts of speech and levels */
function everydayDecks(): Deck[] {
  const directions = [
    ...(['es', 'de', 'en', 'it'] as const).map((targetLanguage) => ({ sourceLanguage: 'fr' as const, targetLanguage })),
    { sourceLanguage: 'es' as const, targetLanguage: 'fr' as const },
  ];
  return directions.flatMap((direction) =>
    PARTS_OF_SPEECH.flatMap((pos) => DIFFICULTIES.map((difficulty) => ({ ...direction, pos, difficulty }))),
  );
}

async function insertCase(client: pg.Client, userId: string, each: Case): Promise<void> {
  const id = await insertDeck(client, each.deck, each.terms);
  await remember(client, userId, id, each);
}

/** SQL for meaningless words of letters. */
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
    `WITH made AS (
       INSERT INTO source (name, licence) VALUES ('bench', 'CC0-1.0')
       ON CONFLICT (name, licence) DO UPDATE SET name = EXCLUDED.name
       RETURNING id
     )
     INSERT INTO term (deck_id, source_text, target_text, source_key, target_key, word, source_id)
     SELECT $1, source, target, source, target,
            left(encode(sha256(convert_to($3::text || E'\\n' || source || E'\\n', 'UTF8')), 'hex'), 32)::uuid, made.id
       FROM made,
            (SELECT ${WORD('source')} AS source, ${WORD('target')} AS target
               FROM generate_series(1, $2::int) AS n) AS words`,
    [id, terms, wordsName(deck)],
  );
  return id;
}

async function remember(
  client: pg.Client,
  userId: string,
  deckId: number,
  { deck, remembered, dueShare }: Case,
): Promise<void> {
  const { rows } = await client.query<{ key: string }>(
    'SELECT source_key AS key FROM term WHERE deck_id = $1 ORDER BY target_key LIMIT $2',
    [deckId, remembered],
  );
  const keys = rows.map(({ key }) => key);
  const words = keys.map((sourceKey) => wordId(wordsName(deck), promptKey({ sourceKey, sourceGloss: null })));
  await client.query(
    `INSERT INTO learned_word (user_id, word, deck_id, source_key, due, stability, difficulty, state,
                               step, scheduled_days, reps, lapses, reviewed_at)
     SELECT $1, word, $2, key, now() + (at / $6::float8 - $5) * interval '60 days', 30, 5, 2, 0, 30, 3,
            0, now() - interval '30 days'
       FROM unnest($3::uuid[], $4::text[]) WITH ORDINALITY AS learned (word, key, at)`,
    [userId, deckId, words, keys, dueShare, words.length],
  );
}
