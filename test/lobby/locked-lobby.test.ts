// A lock on a lobby's row delays the joins to that lobby alone.
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';

/** These are more joins than the locked lobby may occupy connections with, so that most of them wait. */
const JOINERS = 12;

let holder: pg.Client;
let clients: HttpClient[];

const { service, stores } = useService();
beforeAll(async () => {
  holder = new pg.Client({ connectionString: stores.databaseUrl });
  await holder.connect();
  clients = await Promise.all(
    Array.from({ length: 2 * JOINERS + 1 }, async () => {
      const { cookie } = await createSignedInUser(service.services);
      return createHttpClient(service.url, { cookie });
    }),
  );
});
afterAll(() => holder.end());

async function createLobby(host: HttpClient): Promise<string> {
  const { body } = await host.post('/api/v1/lobbies', { capacity: 50 });
  return body.code;
}

const join = (code: string) => async (client: HttpClient) => (await client.post(`/api/v1/lobbies/${code}/join`)).status;

test('while the row of one lobby is locked, joins to another one succeed', async () => {
  const [host, ...joiners] = clients as [HttpClient, ...HttpClient[]];
  const [locked, free] = [await createLobby(host), await createLobby(host)];
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM lobby WHERE code = $1 FOR UPDATE', [locked]);
  const waiting = joiners.slice(0, JOINERS).map(join(locked));
  // The first reply can only be that of a join which has waited too long for the lock.
  const release = Promise.race(waiting).then(() => holder.query('ROLLBACK'));
  const toLocked = Promise.all(waiting);
  const toFree = await Promise.all(joiners.slice(JOINERS).map(join(free)));
  expect(toFree).toEqual(Array(JOINERS).fill(200));
  await release;
  // A join that waits too long for the lock fails, and the joins behind it are tried afterwards.
  const statuses = await toLocked;
  expect([...new Set(statuses)].toSorted()).toEqual([200, 503]);
});
