// The programs of the image, which src/build.ts compiles into a folder outside the checkout, without packages
// beside it. A file that the build leaves out is missed, since `npm run prove` plays quizzes and games on them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort } from '../../src/local-stack/ports.ts';
import { type CommandOutcome, runCommand } from '../support/command.ts';
import { newEmail, signIn, signUp } from '../support/email-accounts.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { ROOT } from '../support/manifests.ts';
import { mailTo } from '../support/outbox.ts';
import {
  createRestartableProcess,
  type RestartableProcess,
} from '../support/restartable-process.ts';
import { startStores, type TestStores } from '../support/stores.ts';

let folder: string;
let stores: TestStores;
let env: NodeJS.ProcessEnv;
let client: HttpClient;
let url: string;
let outbox: string;
const processes: RestartableProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(inject('temporaryFolder'), 'image-'));
  for (const args of [
    ['src/web/build.ts', '--if-stale'],
    ['src/docs/build.ts', '--if-stale'],
    ['src/build.ts', folder],
  ])
    execFileSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  symlinkSync(join(ROOT, 'dist'), join(folder, 'dist'));
  stores = await startStores();
  outbox = join(folder, 'outbox.jsonl');
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  client = createHttpClient(url);
  env = {
    ...{ NODE_ENV: 'test', HOST: '127.0.0.1', METRICS_PORT: '0', LOG_LEVEL: 'warn' },
    DATA_DIR: folder,
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    BETTER_AUTH_URL: url,
    BETTER_AUTH_SECRET: 'a-secret-of-the-tests-that-is-long-enough',
    ...{ PORT: `${port}`, GUESTS: 'true', MAIL_OUTBOX: outbox },
  };
  expect(await run('prisma/deploy.js', '--wait')).toMatchObject({ code: 0, stderr: '' });
  expect(await run('src/vocabulary-import/cli.js', 'load')).toMatchObject({ code: 0 });
  start('src/server.js', async () => expect((await client.get('/api/health')).status).toBe(200));
  start('worker/main.js', async () => {});
  await Promise.all(processes.map((one) => one.start()));
}, 300_000);
afterAll(async () => {
  await Promise.all(processes.map((one) => one.kill()));
  await stores?.stop();
});

function start(entry: string, isReady: () => Promise<void>): void {
  const options = { entry, isReady, env: () => env, root: () => folder };
  processes.push(createRestartableProcess(options));
}

/** Runs a command of the image. */
function run(program: string, ...args: string[]): Promise<CommandOutcome> {
  return runCommand([join(folder, program), ...args], env);
}

test('contain no TypeScript', () => {
  expect(existsSync(join(folder, 'src/server.js'))).toBe(true);
  expect(existsSync(join(folder, 'src/server.ts'))).toBe(false);
});

test('fulfil the contract in quizzes, games and lists', async () => {
  const { code, stdout, stderr } = await run(
    'src/prove/main.js',
    ...['--url', url, '--players', '4', '--games', '2', '--minutes', '0.1', '--round', '2'],
    ...['--late', '60', '--json', '--history', '-'],
  );
  expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
  const { games: played, quizzes, violations } = JSON.parse(stdout);
  expect(violations).toEqual([]);
  expect(Math.min(played, quizzes)).toBeGreaterThan(0);
});

test('confirm the address of an account by the link that the worker sends', async () => {
  const email = newEmail();
  expect((await signUp(client, email)).status).toBe(200);
  await client.get((await mailTo({ mail: { outbox } }, email)).url);
  expect((await signIn(client, email)).status).toBe(200);
});

test.each(['/', '/docs', '/docs/contract.md', '/docs/scalar.js', '/docs/sockets'])(
  'serve %s',
  async (path) => {
    expect((await client.get(path)).status).toBe(200);
  },
);

test.each([
  ['inspect', ['7KQ2ZD'], 'No lobby and no result has the code 7KQ2ZD.'],
  ['accounts', ['sign-out', 'nobody@example.com'], 'No account has this address.'],
])('run the operator’s command %s', async (command, args, message) => {
  const { stderr } = await run(`src/${command}/cli.js`, ...args);
  expect(stderr.trim()).toBe(message);
});
