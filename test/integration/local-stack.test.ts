import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { choosePorts } from '../../src/local-stack/choose-ports.ts';
import { findRedis } from '../../src/local-stack/find-redis.ts';
import { assertNodeVersion } from '../../src/local-stack/node-version.ts';
import { freePort, isPortFree } from '../../src/local-stack/ports.ts';
import { startPostgres } from '../../src/local-stack/postgres.ts';
import { isAlive, isSame, stampOf } from '../../src/local-stack/process-stamp.ts';
import { startRedis } from '../../src/local-stack/redis.ts';
import { readSettings } from '../../src/local-stack/settings.ts';
import { eventually } from '../support/eventually.ts';
import { startRedisCluster } from '../support/redis-cluster.ts';
import { startOwnPostgres, startStores } from '../support/stores.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const SOURCES = new URL('../../src/local-stack/', import.meta.url);

/** A new folder that the server's user can enter. */
function newFolder(): string {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'local-'));
  chmodSync(folder, 0o755);
  return folder;
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function redisClient(url: string): Redis {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: 0 });
  client.on('error', () => undefined);
  return client;
}

/** Runs a launcher of its own that starts a server, prints its pid and is then killed. */
async function killedLauncher(module: string, call: string): Promise<number> {
  const program = `import * as it from ${JSON.stringify(new URL(module, SOURCES).href)};
    const server = await it.${call};
    process.stdout.write(String(server.pid) + '\\n');
    setInterval(() => undefined, 1000);`;
  const launcher = spawn(process.execPath, ['--input-type=module', '-e', program]);
  const [pid] = await new Promise<number[]>((resolve, reject) => {
    launcher.stdout.once('data', (chunk) => resolve([Number(String(chunk))]));
    launcher.once('exit', (code) => reject(new Error(`The launcher ended with ${code}.`)));
  });
  launcher.removeAllListeners('exit');
  launcher.kill('SIGKILL');
  return pid as number;
}

describe('PostgreSQL', () => {
  test('keeps its data between runs, in UTF-8 whatever the environment says', async () => {
    const dataDir = join(newFolder(), 'data');
    const first = await startPostgres({ dataDir, durable: true });
    await query(first.url, `CREATE TABLE words AS SELECT 'perché' AS word`);
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);

    const second = await startPostgres({ dataDir, durable: true });
    expect(await query(second.url, 'SELECT upper(word) AS word FROM words')).toEqual([
      { word: 'PERCHÉ' },
    ]);
    expect(await query(second.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    await second.stop();
  });

  test('listens on this machine alone', async () => {
    const server = await startPostgres({ dataDir: join(newFolder(), 'data'), durable: false });
    expect(await query(server.url, 'SHOW listen_addresses')).toEqual([
      { listen_addresses: '127.0.0.1' },
    ]);
    await server.stop();
  });

  test('works below a folder that only its owner may enter, such as the home of root', async () => {
    const closed = newFolder();
    chmodSync(closed, 0o700);
    const server = await startPostgres({ dataDir: join(closed, 'a', 'data'), durable: false });
    await query(server.url, 'CREATE DATABASE quiz');
    expect(await query(server.urlOf('quiz'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(existsSync(join(closed, 'a', 'data', 'PG_VERSION'))).toBe(true);
    await server.stop();
  });

  test('does not outlive a launcher that is killed, and starts on its data again', async () => {
    const dataDir = join(newFolder(), 'data');
    const options = JSON.stringify({ dataDir, durable: true });
    const pid = await killedLauncher('postgres.ts', `startPostgres(${options})`);
    const server = await startPostgres({ dataDir, durable: true });
    expect(isAlive(pid)).toBe(false);
    await server.stop();
  });

  test('starts again after it was killed itself', async () => {
    const dataDir = join(newFolder(), 'data');
    const killed = await startPostgres({ dataDir, durable: true });
    await query(killed.url, 'CREATE TABLE kept (id int)');
    killed.signal('SIGKILL');
    await killed.exited;
    const server = await startPostgres({ dataDir, durable: true, port: killed.port });
    expect(await query(server.url, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 0 }]);
    await server.stop();
  });

  test('does not touch a process that merely has the number of an old server', async () => {
    const dataDir = join(newFolder(), 'data');
    await (await startPostgres({ dataDir, durable: false })).stop();
    writeFileSync(join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n`);
    const server = await startPostgres({ dataDir, durable: false });
    expect(server.pid).not.toBe(process.pid);
    await server.stop();
  });

  test('runs as whoever owns its data, one who is in no list of users too', async () => {
    // Only root may give a folder away; everybody else runs as themselves in any case.
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

  test('says which port is taken', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    const starting = startPostgres({ dataDir: join(newFolder(), 'data'), port, durable: false });
    await expect(starting).rejects.toThrow(`port ${port} is taken`);
    other.close();
  });
});

describe('Redis', () => {
  const binary = inject('redisBinary');

  test('keeps its data between runs and drops nothing when memory is short', async () => {
    const dataDir = newFolder();
    const first = await startRedis({ dataDir, persist: true, binary });
    const client = redisClient(first.url);
    await client.set('word', 'perché');
    expect(await client.config('GET', 'maxmemory-policy')).toContainEqual('noeviction');
    expect(await client.config('GET', 'bind')).toContainEqual('127.0.0.1');
    first.signal('SIGKILL');
    await first.exited;

    const second = await startRedis({ dataDir, port: first.port, persist: true, binary });
    await eventually(async () => expect(await client.get('word')).toBe('perché'));
    client.disconnect();
    await second.stop();
    expect(isAlive(second.pid)).toBe(false);
  });

  test('does not outlive a launcher that is killed, and starts on its data again', async () => {
    const dataDir = newFolder();
    const options = JSON.stringify({ dataDir, persist: true, binary });
    const pid = await killedLauncher('redis.ts', `startRedis(${options})`);
    const server = await startRedis({ dataDir, persist: true, binary });
    expect(isAlive(pid)).toBe(false);
    await server.stop();
  });

  test('says which port is taken, and does not take another server for its own', async () => {
    const first = await startRedis({ dataDir: newFolder(), persist: false, binary });
    const second = startRedis({ dataDir: newFolder(), port: first.port, persist: false, binary });
    await expect(second).rejects.toThrow(`port ${first.port} is taken`);
    await first.stop();
  });

  test('is fetched and unpacked where none is installed, by two runs at once', {
    // As long as fetching may take.
    timeout: 240_000,
  }, async () => {
    const cache = newFolder();
    // Everything but a Redis: apt and dpkg are needed, a server that somebody installed is not.
    const path = newFolder();
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      'for name in apt-get apt-cache dpkg dpkg-deb dpkg-query tar xz sh; do command -v $name; done',
    ]);
    for (const program of stdout.trim().split('\n'))
      writeFileSync(
        join(path, program.split('/').at(-1) ?? ''),
        `#!/bin/sh\nexec ${program} "$@"\n`,
        {
          mode: 0o755,
        },
      );
    const env = { ...process.env, PATH: path, XDG_CACHE_HOME: cache, REDIS_SERVER_BIN: '' };
    if (!existsSync('/etc/debian_version')) {
      // Nothing to unpack from on this system: what to install is said instead.
      await expect(findRedis(env, () => undefined)).rejects.toThrow(/Install it with|Run one with/);
      return;
    }
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    const found = await Promise.all([findRedis(env, log), findRedis(env, log)]);
    expect(lines).toHaveLength(2);
    expect(found[0].command.startsWith(cache)).toBe(true);
    expect(found[1]).toEqual(found[0]);
    // One result, no half-made folder beside it, and the second time there is nothing to fetch.
    expect(readdirSync(join(cache, 'vocabulary-quiz'))).toHaveLength(1);
    expect(await findRedis(env, log)).toEqual(found[0]);
    expect(lines).toHaveLength(2);

    const server = await startRedis({ dataDir: newFolder(), persist: true, binary: found[0] });
    const client = redisClient(server.url);
    expect(await client.ping()).toBe('PONG');
    client.disconnect();
    await server.stop();
  });

  test('is taken from REDIS_SERVER_BIN first, from PATH second, and is never an old one', async () => {
    const folder = newFolder();
    const pretend = (name: string, version: string) => {
      const file = join(folder, name);
      writeFileSync(file, `#!/bin/sh\necho "Redis server v=${version} sha=0"\n`, { mode: 0o755 });
      return file;
    };
    const old = pretend('redis-server', '6.0.16');
    const valkey = pretend('valkey-server', '8.1.1');
    const named = pretend('another', '7.4.0');
    const env = { PATH: [folder, '/bin'].join(delimiter) };
    expect(await findRedis(env)).toEqual({ command: valkey, version: '8.1.1' });
    expect((await findRedis({ ...env, REDIS_SERVER_BIN: named })).command).toBe(named);
    await expect(findRedis({ ...env, REDIS_SERVER_BIN: old })).rejects.toThrow(/REDIS_SERVER_BIN/);
  });
});

describe('ports and processes', () => {
  test('a free port is free, and two callers are not told the same', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    expect(new Set(ports).size).toBe(20);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(ports[0], '127.0.0.1', resolve));
    expect(await isPortFree(ports[0] as number)).toBe(false);
    expect(await isPortFree(ports[1] as number)).toBe(true);
    server.close();
  });

  test('each process gets a port for metrics; a default one that is taken gives way', async () => {
    const first = await freePort(8);
    const chosen = readSettings({
      API_REPLICAS: '2',
      PORT: `${first}`,
      METRICS_PORT: `${first + 4}`,
    });
    const notes: string[] = [];
    const note = (line: string) => void notes.push(line);
    expect(await choosePorts(chosen, note)).toEqual({
      api: [first, first + 1],
      metrics: [first + 4, first + 5, first + 6],
    });
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(first + 5, '127.0.0.1', resolve));
    await expect(choosePorts(chosen, note)).rejects.toThrow(`Port ${first + 5} is taken`);
    const given = await choosePorts({ ...chosen, metricsPortFixed: false }, note);
    expect(given.api).toEqual([first, first + 1]);
    expect(given.metrics).toHaveLength(3);
    expect(given.metrics).not.toContain(first + 5);
    expect(notes).toEqual([expect.stringContaining(`Port ${first + 5} is taken`)]);
    other.close();
  });

  test('a process is recognised by more than its number', () => {
    const stamp = stampOf(process.pid);
    if (!stamp) throw new Error('This process has no stamp.');
    expect(isSame(stamp)).toBe(true);
    expect(isSame({ ...stamp, startedAt: `${stamp.startedAt}0` })).toBe(false);
  });

  test('an old Node.js is refused in one clear line', () => {
    for (const version of ['20.20.2', '22.17.9', '23.5.0'])
      expect(() => assertNodeVersion(version)).toThrow(/^Node\.js 22\.18 or later is needed/);
    for (const version of ['22.18.0', '23.6.0', '26.10.0']) assertNodeVersion(version);
  });
});

describe('the stores of a test file', () => {
  test('are migrated, empty, and unseen by other files', async () => {
    const [one, other] = await Promise.all([startStores(), startStores()]);
    await query(one.databaseUrl, 'CREATE TABLE mine (id int)');
    const [found] = await query(
      other.databaseUrl,
      `SELECT to_regclass('mine') AS mine,
      to_regclass('lobby') IS NOT NULL AS migrated`,
    );
    expect(found).toEqual({ mine: null, migrated: true });
    expect(one.redisUrl).not.toBe(other.redisUrl);
    await Promise.all([one.stop(), other.stop()]);
    await expect(query(one.databaseUrl, 'SELECT 1')).rejects.toThrow(/does not exist/);
  });

  test('Redis can be stopped, started, paused and killed without losing data', async () => {
    const { redis, redisUrl, stop } = await startStores();
    const client = redisClient(redisUrl);
    await client.set('kept', 'yes');
    await redis.stop();
    await expect(client.get('kept')).rejects.toThrow();
    await redis.start();
    await eventually(async () => expect(await client.get('kept')).toBe('yes'));
    redis.pause();
    const answer = client.get('kept');
    expect(await Promise.race([answer, settled(200)])).toBe('nothing');
    redis.resume();
    expect(await answer).toBe('yes');
    await redis.kill();
    await redis.start();
    await eventually(async () => expect(await client.get('kept')).toBe('yes'));
    client.disconnect();
    await stop();
  });

  test('PostgreSQL of its own can be stopped, started, paused and killed', async () => {
    const own = await startOwnPostgres();
    await query(own.databaseUrl, 'CREATE TABLE kept (id int)');
    const client = new pg.Client({ connectionString: own.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    own.pause();
    const answer = client.query('SELECT 1 AS one');
    expect(await Promise.race([answer, settled(200)])).toBe('nothing');
    own.resume();
    expect((await answer).rows).toEqual([{ one: 1 }]);
    await own.kill();
    await expect(query(own.databaseUrl, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
    await own.start();
    expect(await query(own.databaseUrl, 'SELECT * FROM kept')).toEqual([]);
    await client.end().catch(() => undefined);
    await own.dispose();
  });

  test('a proxy cuts, refuses and stalls connections', async () => {
    const { redisUrl, stop } = await startStores();
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(redisUrl).port) });
    const client = redisClient(proxy.url('redis'));
    const closed = () => new Promise((resolve) => client.once('close', resolve));
    expect(await client.ping()).toBe('PONG');
    const cut = closed();
    proxy.cut();
    await cut;
    await eventually(async () => expect(await client.ping()).toBe('PONG'));
    proxy.stall();
    const answer = client.ping();
    expect(await Promise.race([answer, settled(200)])).toBe('nothing');
    proxy.unstall();
    expect(await answer).toBe('PONG');
    await proxy.block();
    await expect(client.ping()).rejects.toThrow();
    expect(await isPortFree(proxy.port)).toBe(true);
    await proxy.unblock();
    await eventually(async () => expect(await client.ping()).toBe('PONG'));
    client.disconnect();
    await proxy.stop();
    await stop();
  });

  test('a Redis Cluster of three masters takes keys of every slot', async () => {
    const cluster = await startRedisCluster();
    const nodes = cluster.nodes.split(',');
    expect(nodes).toHaveLength(3);
    const client = new Redis.Cluster(nodes);
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => client.set(key, key)));
    expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => client.get(key)))).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
    client.disconnect();
    await cluster.stop();
  });
});

function settled(delayMs: number): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, delayMs, 'nothing'));
}
