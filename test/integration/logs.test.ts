// Whoever reads the logs learns what happened, and nothing to sign in with. [contract 1, 5.10, 6]
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createServices } from '../../src/services.ts';
import { startJobs } from '../../worker/jobs.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeResend, startFakeResend } from '../support/fake-resend.ts';
import { createHttpClient } from '../support/http-client.ts';
import { startService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';

const EMAIL = 'ada@example.com';
const PASSWORDS = ['first-password-7Qx', 'wrong-password-8Rz', 'second-password-9Ty'];
const [PASSWORD = '', WRONG = '', NEW_PASSWORD = ''] = PASSWORDS;
const RESEND_KEY = 're_never_log_this_key';

/** Everything logged, as text. */
let log = '';
let resend: FakeResend;
let stores: TestStores;
let stop: () => Promise<void>;
let url: string;

const destination = new Writable({
  write(chunk, _encoding, done) {
    log += String(chunk);
    done();
  },
});

beforeAll(async () => {
  stores = await startStores();
  resend = await startFakeResend();
  const quiet = await startService(stores, {
    RESEND_API_KEY: RESEND_KEY,
    RESEND_BASE_URL: resend.url,
  });
  await quiet.stop();
  const { config } = quiet;
  const services = createServices(config, createLogger('trace', 'api', destination));
  const app = await buildApp(services);
  const jobs = startJobs(services);
  await app.listen({ port: config.port, host: config.host });
  url = quiet.url;
  stop = async () => {
    await jobs.close();
    await app.close();
    await services.stop();
  };
});
afterAll(async () => {
  await stop();
  await resend.stop();
  await stores.stop();
});

const linkIn = (count: number) =>
  eventually(() => {
    const link = /http\S+/.exec(resend.requestsFor(EMAIL)[count - 1]?.body.text ?? '')?.[0];
    if (!link) throw new Error(`email ${count} has not come`);
    return link;
  });
const tokensIn = (text: string) =>
  [...text.matchAll(/[A-Za-z0-9_.%+/-]{20,}/g)].map(([token]) => token);

describe('a whole life of an account, at the level trace', () => {
  /** All that must not be in the log. */
  const secrets: string[] = [...PASSWORDS, RESEND_KEY];

  it('signs up, verifies, signs in, resets the password, signs out', async () => {
    const browser = createHttpClient(url);
    const post = (path: string, body: object | string) => browser.post(`/api/auth/${path}`, body);
    await post('sign-up/email', { name: 'Ada', email: EMAIL, password: PASSWORD });
    const verification = await linkIn(1);
    secrets.push(new URL(verification).searchParams.get('token') ?? 'none');
    expect((await browser.get(verification)).status).toBe(302);
    expect((await post('sign-in/email', { email: EMAIL, password: WRONG })).status).toBe(401);
    expect((await post('sign-in/email', `{"password":"${WRONG}`)).status).toBeGreaterThanOrEqual(
      400,
    );
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
    expect((await post('sign-in/email', { email: EMAIL, password: NEW_PASSWORD })).status).toBe(
      200,
    );
    secrets.push(...tokensIn(browser.cookie()));
    await browser.get('/api/auth/callback/google?code=oauth-code-5512&state=oauth-state-8813');
    secrets.push('oauth-code-5512', 'oauth-state-8813');
    await browser.get('/api/auth/verify-email?token=a-wrong-token-1177');
    secrets.push('a-wrong-token-1177');
    expect((await post('sign-out', {})).status).toBe(200);
  });

  it('fails while Redis is away, where a driver’s errors carry its commands', async () => {
    const browser = createHttpClient(url);
    await browser.post('/api/auth/sign-in/email', { email: EMAIL, password: NEW_PASSWORD });
    secrets.push(...tokensIn(browser.cookie()));
    await stores.redis.stop();
    try {
      expect((await browser.get('/api/v1/vocabulary')).status).toBe(503);
      expect((await browser.post('/api/auth/sign-out', {})).status).toBe(503);
    } finally {
      await stores.redis.start();
    }
    await expect
      .poll(async () => (await browser.get('/api/v1/vocabulary')).status, { timeout: 30_000 })
      .toBe(200);
  });

  it('leaves one line a request, and no secret', () => {
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const paths = lines.filter(({ msg }) => msg === 'request').map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        '/api/auth/sign-in/email',
        '/api/auth/verify-email',
        '/api/auth/reset-password/[redacted]',
        '/api/auth/callback/google',
      ]),
    );
    expect(lines.filter(({ msg }) => msg === 'request').every(({ requestId }) => requestId)).toBe(
      true,
    );
    expect(secrets.length).toBeGreaterThan(10);
    expect(secrets).not.toContain('none');
    const leaked = secrets.filter(
      (secret) => log.includes(secret) || log.includes(decodeURIComponent(secret)),
    );
    expect(leaked).toEqual([]);
  });
});

it('what somebody logs by mistake is redacted by its name', () => {
  const before = log.length;
  const logger = createLogger('info', 'test', destination);
  const secret = 'never-log-this-33';
  logger.info(
    {
      password: secret,
      headers: { cookie: secret, authorization: secret },
      mail: { html: secret, text: secret },
    },
    'm',
  );
  logger.info(
    { body: { user: { newPassword: secret, token: secret } }, 'set-cookie': secret },
    'm',
  );
  logger.info({ req: { method: 'GET', url: `/x?token=${secret}` } }, 'm');
  const driverError = Object.assign(new Error('away'), {
    command: { args: [secret] },
    code: 'EPIPE',
  });
  logger.error({ err: driverError }, 'm');
  const logged = log.slice(before);
  expect(logged.trim().split('\n')).toHaveLength(4);
  expect(logged).toContain('EPIPE');
  expect(logged).not.toContain(secret);
});
