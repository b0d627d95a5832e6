// No statement about lobbies and results reads a whole table, however large the tables are.
import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as exported from '../../src/accounts/export-account.ts';
import { type LobbyStatus, PrismaClient } from '../../src/generated/prisma/client.ts';
import * as listed from '../../src/lobby/lists.ts';
import * as named from '../../src/lobby/names.ts';
import { LOBBY_EXAMPLE } from '../../src/lobby/schema.ts';
import * as lobbies from '../../src/lobby/store.ts';
import * as results from '../../src/match/finish-match.ts';
import { findGame, findStored, listGames } from '../../src/match/finished-games.ts';
import type { GameSummary } from '../../src/match/schema.ts';
import { withPostgres } from '../support/sql.ts';
import { useStores } from '../support/stores.ts';

const LOBBIES = 20_000;

/** The ids end with their number: 00000000-0000-4000-8000-000000000123. */
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const codeOf = (number: number) => String(number).padStart(6, '0');

const SEED = `
  CREATE FUNCTION id_of(number int) RETURNS uuid LANGUAGE sql IMMUTABLE AS
    $$ SELECT ('00000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid $$;
  INSERT INTO "user" (id, name, email) SELECT id_of(n), 'User ' || n, n || '@example.com'
    FROM generate_series(1, ${LOBBIES}) n;
  INSERT INTO lobby (id, code, host_id, status, capacity, player_count, settings, game_id, active_at,
                     kicked_ids)
    SELECT id_of(n), lpad(n::text, 6, '0'), id_of(n),
           (ARRAY['waiting', 'running', 'finished', 'finished', 'finished'])[1 + n % 5]::lobby_status,
           8, 3, '{}', id_of(n), now() - n * interval '1 second',
           CASE n % 50 WHEN 0 THEN ARRAY[id_of(n + 1)] ELSE '{}' END
    FROM generate_series(1, ${LOBBIES}) n;
  INSERT INTO lobby_player (lobby_id, user_id)
    SELECT id_of(n), id_of(1 + (n + seat * 7) % ${LOBBIES})
    FROM generate_series(1, ${LOBBIES}) n, generate_series(0, 2) seat;
  INSERT INTO lobby_name (lobby_id, user_id, name, name_key)
    SELECT lobby_id, user_id, 'Name', user_id::text FROM lobby_player;
  INSERT INTO game (id, code, settings, winner_ids, started_at, finished_at)
    SELECT id_of(n), lpad(n::text, 6, '0'), '{}', '{}', now(), now()
    FROM generate_series(1, ${LOBBIES}) n;
  INSERT INTO game_score (game_id, user_id, name, score, correct, position, seat)
    SELECT id_of(n), id_of(1 + (n + seat * 7) % ${LOBBIES}), 'User', 0, 0, seat, seat
    FROM generate_series(1, ${LOBBIES}) n, generate_series(0, 2) seat;
  INSERT INTO user_deletion (user_id, lobby_ids) SELECT id_of(n), '{}'
    FROM generate_series(1, ${LOBBIES}) n;
  ANALYZE`;

interface Statement {
  text: string;
  values: unknown[];
}

const stores = useStores();
/** A database that has just been made. */
const young = useStores();
let client: pg.Client;
let pool: pg.Pool;
let db: PrismaClient;
let statements: Statement[] = [];

beforeAll(async () => {
  client = new pg.Client({ connectionString: stores.databaseUrl });
  await client.connect();
  await client.query(SEED);
  pool = new pg.Pool({ connectionString: stores.databaseUrl, max: 2 });
  pool.on('connect', recordStatements);
  db = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
});
afterAll(async () => {
  await db.$disconnect();
  await client.end();
});

/** Records the statements of a connection. */
function recordStatements(connection: pg.PoolClient): void {
  const query = connection.query.bind(connection) as (...args: unknown[]) => unknown;
  const recorded = (...args: unknown[]) => {
    const [first, second] = args;
    const { text, values = [] } =
      typeof first === 'string'
        ? { text: first, values: (Array.isArray(second) ? second : []) as unknown[] }
        : (first as Statement);
    if (/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text)) statements.push({ text, values });
    return query(...args);
  };
  connection.query = recorded as typeof connection.query;
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** @returns the tables that a plan reads sequentially */
function wholeTables(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? '?'] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(wholeTables)];
}

const WAITING = 5;
const RUNNING = 6;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const soon = () => new Date(Date.now() + 60_000);
const { settings } = LOBBY_EXAMPLE;
const result: GameSummary = {
  gameId: idOf(RUNNING + LOBBIES),
  code: codeOf(RUNNING),
  settings,
  winnerIds: [idOf(1)],
  startedAt: '2026-11-21T09:30:00.000Z',
  finishedAt: '2026-11-21T09:31:00.000Z',
  scores: [{ userId: idOf(1), name: 'Ada', score: 1, correct: 1 }],
};

const PLAYERS = result.scores.map((score) => ({ ...score, left: false }));
const ENDED = { lobbyId: idOf(RUNNING), presenterId: null, isCompact: false, players: PLAYERS };
const MANY = Array.from({ length: 50 }, (_, number) => idOf(number));

const CREATED = { lobbyId: randomUUID(), hostId: idOf(1), capacity: 8, settings, hostName: null };

const listPage = (status: LobbyStatus, after?: lobbies.ActivityPlace, before?: Date) =>
  lobbies.listByActivity(db, status, { after, limit: 200, ...(before && { before }) });

type Call = [name: string, run: () => Promise<unknown>];
const LOBBY_CALLS: Call[] = [
  ['findForMember', () => lobbies.findForMember(pool, { code: codeOf(17), userId: idOf(17) })],
  ['membershipOf', () => lobbies.membershipOf(pool, { code: codeOf(17), userId: idOf(17) })],
  ['takenNames', () => named.takenNames(db, idOf(17), ['Brave Otter'])],
  ['findEntrance', () => lobbies.findEntrance(db, codeOf(WAITING))],
  ['keepNames', () => named.keepNames(db, idOf(17), [{ userId: idOf(9), name: 'Brave Otter' }])],
  ['nextNumber', () => named.nextNumber(db, idOf(17), idOf(18), 1)],
  ['nameInLobby', () => named.nameInLobby(db, idOf(17), idOf(18))],
  ['ownName', () => named.ownName(db, idOf(18))],
  ['listLobbies', () => listed.listLobbies(db, idOf(18))],
  ['findById', () => lobbies.findById(pool, idOf(17))],
  ['insertLobby', () => lobbies.insertLobby(pool, 'ZZZZZZ', CREATED)],
  ['addPlayer', () => lobbies.addPlayer(pool, codeOf(WAITING), idOf(999))],
  ['removePlayers', () => lobbies.removePlayers(pool, idOf(WAITING), [idOf(999)], [idOf(1)])],
  ['kickPlayer', () => lobbies.kickPlayer(db, idOf(WAITING), idOf(WAITING), idOf(999))],
  ['setLocked', () => lobbies.setLocked(db, idOf(WAITING), idOf(WAITING), false)],
  ['setSettings', () => lobbies.setSettings(db, idOf(WAITING), 1, { settings, capacity: 8 })],
  ['markWaitingAgain', () => lobbies.markWaitingAgain(db, idOf(12), idOf(12))],
  ['deleteWaiting', () => lobbies.deleteWaiting(pool, idOf(10), [idOf(10)])],
  ['markRunning', () => lobbies.markRunning(pool, idOf(WAITING), 3, { gameId: randomUUID(), settings })],
  ['markWaiting', () => lobbies.markWaiting(db, idOf(11), idOf(11), 0)],
  ['findVersions', () => lobbies.findVersions(db, MANY)],
  ['listByActivity', () => listPage('running')],
  ['listByActivity', () => listPage('running', { lobbyId: idOf(10_000), activeAt: new Date() })],
  ['listByActivity', () => listPage('waiting', undefined, hoursAgo(2))],
  ['listByActivity', () => listPage('finished', undefined, hoursAgo(2))],
  ['listByActivity', () => listPage('waiting', { lobbyId: idOf(12), activeAt: hoursAgo(3) }, hoursAgo(2))],
  ['noteActive', () => lobbies.noteActive(db, idOf(WAITING), soon())],
  ['deleteIdle', () => lobbies.deleteIdle(db, idOf(12), 'finished', soon())],
];
const RESULT_CALLS: Call[] = [
  ['saveResult', () => results.saveResult(pool, { match: ENDED, result, rounds: [] })],
  ['findStored', () => findStored(db, idOf(17))],
  ['findGame', () => findGame(db, idOf(17), idOf(18))],
  ['listGames', () => listGames(db, idOf(18), { limit: 20 })],
];
async function readAll(pages: AsyncIterable<unknown[]>): Promise<void> {
  let count = 0;
  for await (const page of pages) count += page.length;
  expect(count).toBeGreaterThan(0);
}
const EXPORT_CALLS: Call[] = [
  ['readLobbies', () => readAll(exported.readLobbies(db, idOf(18)))],
  ['readRemovals', () => readAll(exported.readRemovals(db, idOf(51)))],
];

it.each([...LOBBY_CALLS, ...RESULT_CALLS, ...EXPORT_CALLS])('%s reads no whole table', async (_name, run) => {
  statements = [];
  await run();
  expect(statements.length).toBeGreaterThan(0);
  for (const { text, values } of [...statements]) {
    const own = await client.query({ text: `EXPLAIN (FORMAT JSON) ${text}`, values });
    const shared = await client.query(`EXPLAIN (FORMAT JSON, GENERIC_PLAN) ${text}`);
    for (const { rows } of [own, shared]) expect(wholeTables(rows[0]['QUERY PLAN'][0].Plan), text).toEqual([]);
  }
});

it('a roster reads no whole table of users before PostgreSQL has counted them', async () => {
  statements = [];
  await lobbies.findById(pool, idOf(17));
  const [{ text }] = statements as [Statement];
  const explain = `EXPLAIN (FORMAT JSON, GENERIC_PLAN) ${text}`;
  const { rows } = await withPostgres(young.databaseUrl, (uncounted) => uncounted.query(explain));
  expect(wholeTables(rows[0]['QUERY PLAN'][0].Plan)).toEqual([]);
});

const FREQUENT = ['findForMember', 'membershipOf', 'findById'];

it.each(LOBBY_CALLS.filter(([name]) => FREQUENT.includes(name)))(
  '%s is planned once per connection, because planning it costs many times as much as running it',
  async (name, run) => {
    statements = [];
    await run();
    const [statement] = statements as [Statement];
    for (let count = 0; count < 10; count++) await client.query({ ...statement, name });
    const plans = 'SELECT generic_plans::int AS shared FROM pg_prepared_statements WHERE name = $1';
    const { rows } = await client.query(plans, [name]);
    // PostgreSQL plans the first five runs with their values, and compares the generic plan with these.
    expect(rows).toEqual([{ shared: 5 }]);
  },
);

/** These are exported beside the statements: they run some of them, or none. */
const OTHERS = ['After', 'finishMatch', 'listPlayers', 'takeName'];

it('the calls above cover all statements about lobbies and results', () => {
  const names = (calls: Call[]) => [...new Set(calls.map(([name]) => name))].toSorted();
  const own = (name: string) => !OTHERS.includes(name);
  const statementsOf = (exports: object) => Object.keys(exports).filter(own).toSorted();
  expect(names(LOBBY_CALLS)).toEqual(statementsOf({ ...lobbies, ...named, ...listed }));
  expect(names(RESULT_CALLS)).toEqual(statementsOf({ ...results, findGame, findStored, listGames }));
});

it('an index finds the rows that are deleted with a lobby, a game or a user', async () => {
  const { rows } = await client.query(`
    SELECT c.conrelid::regclass::text AS "table", c.conname AS "key" FROM pg_constraint c
     WHERE c.contype = 'f' AND NOT EXISTS (
       SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1])`);
  expect(rows).toEqual([]);
});
