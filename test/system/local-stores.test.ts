// The local stack runs a PostgreSQL and a Redis of its own.
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { findRedis } from '../../src/tools/dev/find-redis.ts';
import { isAlive } from '../../src/tools/dev/leftover.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { startPostgres } from '../../src/tools/dev/postgres.ts';
import { startRedis } from '../../src/tools/dev/redis.ts';
import { newFolder, query } from '../support/dev-process.ts';
import { withRedis } from '../support/own-servers.ts';

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

describe('Redis', () => {
  const binary = inject('redisBinary');

  test('listens on the loopback address alone, evicts nothing, and names a port that is in use', async () => {
    const first = await startRedis({ dataDir: newFolder(), persist: false, binary });
    await withRedis(first.url, async (client) => {
      expect(await client.config('GET', 'maxmemory-policy')).toContainEqual('noeviction');
      expect(await client.config('GET', 'bind')).toContainEqual('127.0.0.1');
    });
    const second = startRedis({ dataDir: newFolder(), port: first.port, persist: false, binary });
    await expect(second).rejects.toThrow(`port ${first.port} is taken`);
    await first.stop();
  });

  test('is downloaded and unpacked once by concurrent runs if none is installed', {
    // The limit is the time that the download may take, in ms.
    timeout: 240_000,
  }, async () => {
    const cache = newFolder();
    // This path has the programs for the download, and no Redis that is installed.
    const path = newFolder();
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      'for name in apt-get apt-cache dpkg dpkg-deb dpkg-query tar xz sh; do command -v $name; done',
    ]);
    for (const program of stdout.trim().split('\n'))
      writeFileSync(join(path, program.split('/').at(-1) ?? ''), `#!/bin/sh\nexec ${program} "$@"\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: path, XDG_CACHE_HOME: cache, REDIS_SERVER_BIN: '' };
    if (!existsSync('/etc/debian_version')) {
      // This system has no packages to unpack, so that the error says how to install Redis.
      await expect(findRedis(env, () => undefined)).rejects.toThrow(/Install it with|Run one with/);
      return;
    }
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    const found = await Promise.all([findRedis(env, log), findRedis(env, log)]);
    expect(lines).toHaveLength(2);
    expect(found[0].command.startsWith(cache)).toBe(true);
    expect(found[1]).toEqual(found[0]);
    // The folder has one result and no partial one, and the second search finds it without a download.
    expect(readdirSync(join(cache, 'vocabulary-quiz'))).toHaveLength(1);
    expect(await findRedis(env, log)).toEqual(found[0]);
    expect(lines).toHaveLength(2);

    const server = await startRedis({ dataDir: newFolder(), persist: true, binary: found[0] });
    expect(await withRedis(server.url, (client) => client.ping())).toBe('PONG');
    await server.stop();
  });

  test('is found in REDIS_SERVER_BIN first and in PATH second, and is never an old version', async () => {
    const folder = newFolder();
    const fakeServer = (name: string, version: string) => {
      const file = join(folder, name);
      writeFileSync(file, `#!/bin/sh\necho "Redis server v=${version} sha=0"\n`, { mode: 0o755 });
      return file;
    };
    const old = fakeServer('redis-server', '6.0.16');
    const valkey = fakeServer('valkey-server', '8.1.1');
    const named = fakeServer('another', '7.4.0');
    const env = { PATH: [folder, '/bin'].join(delimiter) };
    expect(await findRedis(env)).toEqual({ command: valkey, version: '8.1.1' });
    expect((await findRedis({ ...env, REDIS_SERVER_BIN: named })).command).toBe(named);
    await expect(findRedis({ ...env, REDIS_SERVER_BIN: old })).rejects.toThrow(/REDIS_SERVER_BIN/);
  });
});
