// The local stack runs a PostgreSQL of its own.
import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAlive } from '../../src/tools/dev/leftover.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { startPostgres } from '../../src/tools/dev/postgres.ts';
import { newFolder, query } from '../support/dev-process.ts';

describe('PostgreSQL', () => {
  test('listens on the loopback address alone, and stores its data between runs, in UTF-8 and in the home of root', async () => {
    const closed = newFolder();
    chmodSync(closed, 0o700);
    const dataDir = join(closed, 'a', 'data');
    const first = await startPostgres({ dataDir, durable: true });
    expect(await query(first.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    await query(first.url, `CREATE TABLE words AS SELECT 'perché' AS word`);
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);

    const second = await startPostgres({ dataDir, durable: true });
    expect(await query(second.url, 'SELECT upper(word) AS word FROM words')).toEqual([{ word: 'PERCHÉ' }]);
    expect(await query(second.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    await second.stop();
  });

  test('does not kill another process with the process id of an old server', async () => {
    const dataDir = join(newFolder(), 'data');
    await (await startPostgres({ dataDir, durable: false })).stop();
    writeFileSync(join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n`);
    const server = await startPostgres({ dataDir, durable: false });
    expect(server.pid).not.toBe(process.pid);
    await server.stop();
  });

  test('runs as the owner of its data, also without an entry in the list of users', async () => {
    // The test changes the owner if it runs as root, as no other user may; otherwise its user is the owner already.
    const uid = process.getuid?.() === 0 ? 54_321 : process.getuid?.();
    const folder = newFolder();
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    if (process.getuid?.() === 0) chownSync(dataDir, 54_321, 54_321);
    const server = await startPostgres({ dataDir, durable: false });
    expect(statSync(join(dataDir, 'PG_VERSION')).uid).toBe(uid);
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  test('names the port that is in use', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    const starting = startPostgres({ dataDir: join(newFolder(), 'data'), port, durable: false });
    await expect(starting).rejects.toThrow(`port ${port} is taken`);
    other.close();
  });
});
