// Starts and inspects the servers of the local stack in its tests.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { inject } from 'vitest';

const SOURCES = new URL('../../src/tools/dev/', import.meta.url);

/** Makes a folder that the servers' user can enter. */
export function newFolder(): string {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'local-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Runs one statement on a connection of its own. @returns the rows */
export async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @returns a client that reconnects at once and fails commands while it is disconnected */
export function redisClient(url: string): Redis {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: 0 });
  client.on('error', () => undefined);
  return client;
}

/** Runs a launcher that starts a server, and kills the launcher. @returns the server's process id */
export async function killedLauncher(module: string, call: string): Promise<number> {
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
