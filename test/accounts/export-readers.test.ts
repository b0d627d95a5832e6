// An export is read from PostgreSQL as its client takes it. [contract 22]
import { createConnection, type Socket } from 'node:net';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { EXPORT, storeLargeGames } from '../support/exports.ts';
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
  await storeLargeGames(stores.databaseUrl, user.id, GAMES);
  // The checks of the stores take a connection every two seconds.
  service.services.storeChecks.stop();
  service.services.postgres.on('acquire', () => {
    statements++;
  });
});

/** Asks for an export, and reads nothing of it. */
function ask(): Socket {
  statements = 0;
  const { hostname, port } = new URL(service.url);
  const socket = createConnection({ host: hostname, port: Number(port) }).pause();
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${EXPORT} HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\n\r\n`);
  return socket;
}

/** Waits until no statement has been sent for some time. @returns the number of all statements */
async function untilQuiet(): Promise<number> {
  let before = 0;
  const isQuiet = () => {
    const isSame = statements > 0 && statements === before;
    before = statements;
    return isSame;
  };
  await expect.poll(isQuiet, { timeout: 20_000, interval: QUIET_MS }).toBe(true);
  return statements;
}

it('while the client does not read, no more is read from PostgreSQL, and no connection is held, until it reads', async () => {
  const socket = ask();
  // Each game takes two statements at least.
  const before = await untilQuiet();
  expect(before).toBeLessThan(GAMES);
  const { postgres } = service.services;
  await expect.poll(() => postgres.totalCount - postgres.idleCount).toBe(0);
  socket.on('data', () => {});
  socket.resume();
  await expect.poll(() => statements).toBeGreaterThan(before + 50);
});

it('once the client has gone, no more is read from PostgreSQL', async () => {
  const socket = ask();
  await expect.poll(() => statements).toBeGreaterThan(20);
  socket.destroy();
  expect(await untilQuiet()).toBeLessThan(GAMES);
});
