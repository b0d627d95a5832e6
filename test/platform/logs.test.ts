// The logs say what happened, and contain nothing with which a reader could sign in. [contract 1, 5.10, 6]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { useMailingReplicas } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient } from '../support/http-client.ts';
import { captureLog } from '../support/log-capture.ts';
import { startFakeResend } from '../support/outbox.ts';

const EMAIL = 'ada@example.com';
const PASSWORDS = ['first-password-7Qx', 'wrong-password-8Rz', 'second-password-9Ty'];
const [PASSWORD = '', WRONG = '', NEW_PASSWORD = ''] = PASSWORDS;
const RESEND_KEY = 're_never_log_this_key';

const log = captureLog();
const resend = await startFakeResend();
afterAll(() => resend.stop());
const mail = { RESEND_API_KEY: RESEND_KEY, RESEND_BASE_URL: resend.url };
const env = { ...mail, LOG_LEVEL: 'trace', STORE_TIMEOUT_MS: '3000' };
const { service, stores } = useMailingReplicas({ count: 1, env, log: log.stream });

const linkIn = (count: number) =>
  eventually(() => {
    const link = /http\S+/.exec(resend.requestsFor(EMAIL)[count - 1]?.body.text ?? '')?.[0];
    if (!link) throw new Error(`email ${count} has not come`);
    return link;
  });
const tokensIn = (text: string) => [...text.matchAll(/[A-Za-z0-9_.%+/-]{20,}/g)].map(([token]) => token);

describe('the log of an account at the level trace', () => {
  const secrets: string[] = [...PASSWORDS, RESEND_KEY];

  it('covers sign-up, verification, sign-in, password reset and sign-out', async () => {
    const browser = createHttpClient(service.url);
    const post = (path: string, body: object | string) => browser.post(`/api/auth/${path}`, body);
    await post('sign-up/email', { name: 'Ada', email: EMAIL, password: PASSWORD });
    const verification = await linkIn(1);
    secrets.push(new URL(verification).searchParams.get('token') ?? 'none');
    expect((await browser.get(verification)).status).toBe(302);
    expect((await post('sign-in/email', { email: EMAIL, password: WRONG })).status).toBe(401);
    expect((await post('sign-in/email', `{"password":"${WRONG}`)).status).toBeGreaterThanOrEqual(400);
    expect((await post('sign-in/email', { email: EMAIL, password: PASSWORD })).status).toBe(200);
    secrets.push(...tokensIn(browser.cookie()));
    expect((await browser.get('/api/v1/vocabulary')).status).toBe(200);
    expect((await browser.post('/api/v1/game/start', { password: PASSWORD })).status).toBe(400);

    await post('request-password-reset', { email: EMAIL, redirectTo: '/reset' });
    const reset = await linkIn(2);
    const token = new URL(reset).pathname.split('/').at(-1) ?? 'none';
    secrets.push(token);
    expect((await browser.get(reset)).status).toBe(302);
    expect((await post('reset-password', { newPassword: NEW_PASSWORD, token })).status).toBe(200);
    expect((await post('sign-in/email', { email: EMAIL, password: NEW_PASSWORD })).status).toBe(200);
    secrets.push(...tokensIn(browser.cookie()));
    await browser.get('/api/auth/callback/google?code=oauth-code-5512&state=oauth-state-8813');
    secrets.push('oauth-code-5512', 'oauth-state-8813');
    await browser.get('/api/auth/verify-email?token=a-wrong-token-1177');
    secrets.push('a-wrong-token-1177');
    expect((await post('sign-out', {})).status).toBe(200);
  });

  it('covers an outage of Redis, in which the driver’s errors contain its commands', async () => {
    const browser = createHttpClient(service.url);
    await browser.post('/api/auth/sign-in/email', { email: EMAIL, password: NEW_PASSWORD });
    secrets.push(...tokensIn(browser.cookie()));
    await stores.redis.stop();
    try {
      const asked = [browser.get('/api/v1/vocabulary'), browser.post('/api/auth/sign-out', {})];
      for (const { status } of await Promise.all(asked)) expect(status).toBe(503);
    } finally {
      await stores.redis.start();
    }
    await expect.poll(async () => (await browser.get('/api/v1/vocabulary')).status, { timeout: 30_000 }).toBe(200);
  });

  it('has one line per request, and no secret', () => {
    const requests = log.lines().filter(({ msg }) => msg === 'request');
    const paths = new Set(requests.map(({ path }) => path));
    for (const path of ['sign-in/email', 'verify-email', 'reset-password/[redacted]', 'callback/google'])
      expect(paths).toContain(`/api/auth/${path}`);
    expect(requests.every(({ requestId }) => requestId)).toBe(true);
    expect(secrets.length).toBeGreaterThan(10);
    expect(secrets).not.toContain('none');
    const logged = log.text();
    const isLogged = (secret: string) => logged.includes(secret) || logged.includes(decodeURIComponent(secret));
    const leaked = secrets.filter(isLogged);
    expect(leaked).toEqual([]);
  });
});

it('a secret that is logged by mistake is redacted by its name', () => {
  log.clear();
  const logger = createLogger('info', 'test', log.stream);
  const secret = 'never-log-this-33';
  const headers = { cookie: secret, authorization: secret };
  logger.info({ password: secret, headers, mail: { html: secret, text: secret } }, 'm');
  logger.info({ body: { user: { newPassword: secret, token: secret } }, 'set-cookie': secret }, 'm');
  logger.info({ req: { method: 'GET', url: `/x?token=${secret}` } }, 'm');
  const driverError = Object.assign(new Error('away'), { command: { args: [secret] }, code: 'EPIPE' });
  logger.error({ err: driverError }, 'm');
  expect(log.lines()).toHaveLength(4);
  expect(log.text()).toContain('EPIPE');
  expect(log.text()).not.toContain(secret);
});

// Log lines at the end of a process, whatever reads its standard output.

const LOGGER = new URL('../../src/platform/observability/logger.ts', import.meta.url).href;
const KILLED_AFTER_MS = 30_000;

/** A program that logs `up`, waits for the end of its standard input, then runs `ending`. */
function start(ending: string) {
  const program = `
    const { createLogger } = await import(${JSON.stringify(LOGGER)});
    const logger = createLogger('info', 'test');
    process.stderr.write('up');
    process.stdin.once('end', () => { ${ending} }).resume();`;
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program];
  const child = spawn(process.execPath, flags, { timeout: KILLED_AFTER_MS, killSignal: 'SIGKILL' });
  return { child, exited: once(child, 'exit'), up: once(child.stderr, 'data') };
}

it('a process writes every line before it ends', async () => {
  const { child, exited, up } = start(
    `for (let i = 0; i < 500; i++) logger.info({ i, long: 'x'.repeat(i * 40) }, 'line');
       process.exit(3);`,
  );
  const output = text(child.stdout);
  await up;
  child.stdin.end();
  const lines = (await output).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).i)).toEqual(lines.map((_, i) => i));
  expect(lines).toHaveLength(500);
  expect(await exited).toEqual([3, null]);
});

it.each(['info', 'fatal'])('a process also ends if nothing reads its lines any more (%s)', async (level) => {
  const { child, exited, up } = start(`logger.${level}('nobody hears'); process.exit(3);`);
  await up;
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.end();
  expect(await exited).toEqual([3, null]);
});
