// The logs say what happened, and contain nothing with which a reader could sign in. [contract 1, 5.10, 6]
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { startJobs } from '../../worker/jobs.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient } from '../support/http-client.ts';
import { captureLog } from '../support/log-capture.ts';
import { type FakeResend, startFakeResend } from '../support/outbox.ts';
import { startReplicas } from '../support/service.ts';
import { useStores } from '../support/stores.ts';

const EMAIL = 'ada@example.com';
const PASSWORDS = ['first-password-7Qx', 'wrong-password-8Rz', 'second-password-9Ty'];
const [PASSWORD = '', WRONG = '', NEW_PASSWORD = ''] = PASSWORDS;
const RESEND_KEY = 're_never_log_this_key';

const log = captureLog();
let resend: FakeResend;
const stores = useStores();
let stop: () => Promise<void>;
let url: string;

beforeAll(async () => {
  resend = await startFakeResend();
  const mail = { RESEND_API_KEY: RESEND_KEY, RESEND_BASE_URL: resend.url };
  const env = { ...mail, LOG_LEVEL: 'trace', STORE_TIMEOUT_MS: '3000' };
  const [service] = await startReplicas(stores, 1, env, log.stream);
  const jobs = startJobs(service.services);
  ({ url } = service);
  stop = async () => {
    await jobs.close();
    await service.stop();
  };
});
afterAll(async () => {
  await stop();
  await resend.stop();
});

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
    const browser = createHttpClient(url);
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
    const browser = createHttpClient(url);
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
    expect(requests.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/api/auth/sign-in/email',
        '/api/auth/verify-email',
        '/api/auth/reset-password/[redacted]',
        '/api/auth/callback/google',
      ]),
    );
    expect(requests.every(({ requestId }) => requestId)).toBe(true);
    expect(secrets.length).toBeGreaterThan(10);
    expect(secrets).not.toContain('none');
    const text = log.text();
    const leaked = secrets.filter((secret) => text.includes(secret) || text.includes(decodeURIComponent(secret)));
    expect(leaked).toEqual([]);
  });
});

it('a secret that is logged by mistake is redacted by its name', () => {
  log.clear();
  const logger = createLogger('info', 'test', log.stream);
  const secret = 'never-log-this-33';
  logger.info(
    { password: secret, headers: { cookie: secret, authorization: secret }, mail: { html: secret, text: secret } },
    'm',
  );
  logger.info({ body: { user: { newPassword: secret, token: secret } }, 'set-cookie': secret }, 'm');
  logger.info({ req: { method: 'GET', url: `/x?token=${secret}` } }, 'm');
  const driverError = Object.assign(new Error('away'), { command: { args: [secret] }, code: 'EPIPE' });
  logger.error({ err: driverError }, 'm');
  expect(log.lines()).toHaveLength(4);
  expect(log.text()).toContain('EPIPE');
  expect(log.text()).not.toContain(secret);
});
