// The programs of the image, which src/build.ts compiles into a folder outside the checkout, with no package but Bull
// Board beside it. A file that the build leaves out is missed, since `npm run prove` plays quizzes and games on them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort } from '../../src/tools/dev/ports.ts';
import { type CommandOutcome, runCommand } from '../support/command.ts';
import { createHttpClient } from '../support/http-client.ts';
import { mailTo } from '../support/outbox.ts';
import { processEnv } from '../support/replica-process.ts';
import { createRestartableProcess, type RestartableProcess } from '../support/restartable-process.ts';
import { ROOT } from '../support/sources.ts';
import { useStores } from '../support/stores.ts';

const CONSOLE_TOKEN = 'a-token-of-the-tests-that-is-long-enough';
const folder = mkdtempSync(join(inject('temporaryFolder'), 'image-'));
const outbox = join(folder, 'outbox.jsonl');
const [port, metricsPort] = [await freePort(), await freePort()];
const url = `http://127.0.0.1:${port}`;
const metricsUrl = `http://127.0.0.1:${metricsPort}`;
const client = createHttpClient(url);
const stores = useStores();
const processes: RestartableProcess[] = [];
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  for (const args of [
    ['src/web/build.ts', '--if-stale'],
    ['src/docs/build.ts', '--if-stale'],
    ['src/build.ts', folder],
  ])
    execFileSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['dist', 'node_modules/@bull-board']) symlinkSync(join(ROOT, name), join(folder, name));
  env = processEnv(stores, url, { DATA_DIR: folder, PORT: `${port}`, GUESTS: 'true', MAIL_OUTBOX: outbox });
  expect(await run('prisma/deploy.js', '--wait')).toMatchObject({ code: 0, stderr: '' });
  expect(await run('src/tools/import/cli.js', 'load')).toMatchObject({ code: 0 });
  start('src/server.js', async () => expect((await client.get('/api/health')).status).toBe(200));
  start('worker/main.js', async () => expect((await fetch(`${metricsUrl}/ready`)).status).toBe(200), {
    METRICS_PORT: `${metricsPort}`,
    CONSOLE_TOKEN,
  });
  await Promise.all(processes.map((one) => one.start()));
}, 300_000);
afterAll(() => Promise.all(processes.map((one) => one.kill())));

function start(entry: string, isReady: () => Promise<void>, more: NodeJS.ProcessEnv = {}): void {
  const options = { entry, isReady, env: () => ({ ...env, ...more }), root: () => folder };
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
  const few = '--players 4 --games 2 --minutes 0.1 --round 2 --late 60 --json --history -'.split(' ');
  const { code, stdout, stderr } = await run('src/tools/prove/main.js', '--url', url, ...few);
  expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
  const { games: played, quizzes, violations } = JSON.parse(stdout);
  expect(violations).toEqual([]);
  expect(Math.min(played, quizzes)).toBeGreaterThan(0);
});

test('confirm the address of an account by the link that the worker sends', async () => {
  const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' };
  expect((await client.post('/api/auth/sign-up/email', ada)).status).toBe(200);
  await client.get((await mailTo({ mail: { outbox } }, ada.email)).url);
  const { email, password } = ada;
  expect((await client.post('/api/auth/sign-in/email', { email, password })).status).toBe(200);
});

test.each(['/console/', '/console/queues/'])('show operators %s', async (path) => {
  const authorization = `Basic ${btoa(`operator:${CONSOLE_TOKEN}`)}`;
  const response = await fetch(`${metricsUrl}${path}`, { headers: { authorization } });
  expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/<html/)]);
});

test.each(['/', '/docs', '/docs/contract.md', '/docs/scalar.js', '/docs/sockets'])('serve %s', async (path) => {
  expect((await client.get(path)).status).toBe(200);
});

test.each([
  ['inspect', ['7KQ2ZD'], 'No lobby and no result has the code 7KQ2ZD.'],
  ['sign-out', ['nobody@example.com'], 'No account has this address.'],
])('run the operator’s command %s', async (command, args, message) => {
  const { stderr } = await run('src/tools/operate/operate.js', command, ...args);
  expect(stderr.trim()).toBe(message);
});
