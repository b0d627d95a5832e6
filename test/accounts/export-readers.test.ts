// An export is read from PostgreSQL as its client takes it. [contract 22]
import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { EXPORT, LARGE_GAME_BYTES, storeLargeAccount } from '../support/exports.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';

/** The export is larger than what the operating system's buffers take of it. */
const GAMES = 800;
const QUIET_MS = 300;

const { service, stores } = useService();
let cookie: string;
/** The number of times that the service has taken a connection to PostgreSQL. */
let statements = 0;

beforeAll(async () => {
  const user = await createSignedInUser(service.services);
  cookie = user.cookie;
  await storeLargeAccount(stores.databaseUrl, user.id, { games: GAMES, words: 0 });
  // The checks of the stores take a connection every two seconds.
  service.services.storeChecks.stop();
  service.services.postgres.on('acquire', () => {
    statements++;
  });
});

/** Asks for an export, and reads nothing of it. */
function ask(): Promise<Socket> {
  statements = 0;
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: hostname, port: Number(port) }, () => {
      socket.pause();
      socket.write(`GET ${EXPORT} HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\n\r\n`);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** Waits until no statement has been sent for some time. @returns the number of all statements */
async function untilQuiet(): Promise<number> {
  let before = -1;
  await eventually(
    async () => {
      if (statements === 0 || statements !== before) {
        before = statements;
        throw new Error(`${statements} statements, and more to come`);
      }
    },
    { timeoutMs: 20_000, intervalMs: QUIET_MS },
  );
  return statements;
}

it('while the client does not read, no more is read from PostgreSQL, and no connection is held', async () => {
  const socket = await ask();
  // Each game takes two statements at least.
  expect(await untilQuiet()).toBeLessThan(GAMES);
  const { postgres } = service.services;
  await expect.poll(() => postgres.totalCount - postgres.idleCount).toBe(0);

  let bytes = 0;
  let end = '';
  socket.on('data', (chunk) => {
    bytes += chunk.byteLength;
    end = chunk.toString('latin1');
  });
  socket.resume();
  await expect.poll(() => end.endsWith('\r\n0\r\n\r\n'), { timeout: 60_000 }).toBe(true);
  expect(bytes).toBeGreaterThan(GAMES * LARGE_GAME_BYTES);
  expect(statements).toBeGreaterThan(2 * GAMES);
  socket.destroy();
});

it('once the client has gone, no more is read from PostgreSQL', async () => {
  const socket = await ask();
  await eventually(async () => expect(statements).toBeGreaterThan(20));
  socket.destroy();
  const count = await untilQuiet();
  expect(count).toBeLessThan(GAMES);
  await sleep(QUIET_MS);
  expect(statements).toBe(count);
});
