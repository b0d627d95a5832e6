// The house's own identity provider may be away when a replica starts, fail later, or be set up in another way.
// [contract 22]
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { newEmail, signUp } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { captureLog } from '../support/log-capture.ts';
import { newClaims, type Oddities, startOidc, useOidcSignIn } from '../support/oidc-sign-in.ts';
import { startReplicas } from '../support/service.ts';
import { sessionOf } from '../support/social-sign-in.ts';

const { env, provider, stores } = useOidcSignIn({ isAway: true });
const UNAVAILABLE = { status: 503, body: { code: 'PROVIDER_UNAVAILABLE' } };

afterEach(() => provider.stop());

/** A replica that has not asked the provider anything yet. */
async function newReplica(more: NodeJS.ProcessEnv = {}) {
  const log = captureLog();
  const settings = { ...env, LOG_LEVEL: 'warn', ...more };
  const [replica] = await startReplicas(stores, 1, settings, log.stream);
  onTestFinished(() => replica.stop());
  return {
    client: () => createHttpClient(replica.url),
    start: (oddities?: Oddities) => provider.start(`${replica.url}/api/auth/callback/oidc`, oddities),
    /** The warnings about the provider. */
    warnings: () => log.lines().flatMap(({ msg }) => (`${msg}`.startsWith('Provider') ? [msg] : [])),
  };
}

/** Signs somebody in. @returns where the callback leads */
async function signIn(browser: HttpClient): Promise<string | null> {
  const { body } = await startOidc(browser);
  return (await browser.get((await provider.agree(body.url, newClaims())).href)).location;
}

test('a provider that was away when the replica started works soon after it is back', async () => {
  const { client, start, warnings } = await newReplica();
  const browser = client();
  const refused = await startOidc(browser);
  expect(refused).toMatchObject(UNAVAILABLE);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(warnings()).toContain('Provider "oidc": its configuration was not found');
  await start();
  await eventually(async () => expect((await startOidc(browser)).status).toBe(200));
  expect(await signIn(browser)).toBe('/play');
  expect(await sessionOf(browser)).not.toBeNull();
});

// This test precedes the next one, whose unanswered requests fail when the provider stops, and are repeated.
test('many sign-ins ask a failing provider at most once a second', async () => {
  const { client, start } = await newReplica();
  let asked = 0;
  await start({
    intercept: (_request, response) => {
      asked += 1;
      response.writeHead(500).end();
      return true;
    },
  });
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 30 }, () => startOidc(client())));
  expect(answers.every(({ status }) => status === 503)).toBe(true);
  const seconds = (performance.now() - startedAt) / 1000;
  // The plugin asks once for each way to authenticate.
  expect(asked).toBeGreaterThanOrEqual(2);
  expect(asked).toBeLessThanOrEqual(2 * (1 + seconds));
});

test('a provider that accepts connections and does not answer delays its own sign-ins alone', async () => {
  const { client, start } = await newReplica();
  let isSilent = true;
  await start({ intercept: () => isSilent });
  const waiting = startOidc(client());
  expect((await signUp(client(), newEmail())).status).toBe(200);
  expect((await client().get('/api/auth/get-session')).status).toBe(200);
  expect(await waiting).toMatchObject(UNAVAILABLE);
  isSilent = false;
  await eventually(async () => expect((await startOidc(client())).status).toBe(200));
});

test('a server that names another issuer is not used', async () => {
  const { client, start, warnings } = await newReplica({ OIDC_ISSUER: `${provider.issuer}/` });
  await start();
  expect(await startOidc(client())).toMatchObject(UNAVAILABLE);
  expect(warnings()).toEqual(['Provider "oidc": its configuration names another issuer than OIDC_ISSUER']);
});

test.for<[string, Oddities]>([
  ['client_secret_basic', { clientAuthentication: 'client_secret_basic' }],
  ['all claims in its ID token', { hasClaimsInToken: true }],
])('a provider with %s signs people in', async ([, oddities]) => {
  const { client, start, warnings } = await newReplica();
  await start(oddities);
  for (let time = 0; time < 2; time++) {
    const browser = client();
    expect(await signIn(browser)).toBe('/play');
    expect((await sessionOf(browser)).user).toMatchObject({ name: 'Ada Lovelace' });
  }
  expect(warnings()).toEqual([]);
});

test('a wrong client secret signs nobody in, and the log says why', async () => {
  const { client, start, warnings } = await newReplica({ OIDC_CLIENT_SECRET: 'wrong' });
  await start();
  expect(await signIn(client())).toBe('/failed?error=invalid_code');
  expect(warnings()).toContain('Provider "oidc" refuses OIDC_CLIENT_ID and OIDC_CLIENT_SECRET');
});

test('a provider that fails to name somebody signs nobody in, and works afterwards', async () => {
  const { client, start } = await newReplica();
  let isFailing = true;
  await start({
    intercept: ({ url }, response) => {
      if (!isFailing || url !== '/me') return false;
      response.writeHead(500).end();
      return true;
    },
  });
  expect(await signIn(client())).toBe('/failed?error=unable_to_get_user_info');
  isFailing = false;
  expect(await signIn(client())).toBe('/play');
});
