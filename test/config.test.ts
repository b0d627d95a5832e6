import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { CONFIG_VARIABLES, ConfigError, readConfig } from '../src/config.ts';

const SECRET = 'a-secret-that-nobody-may-see-in-an-error';
const dataDir = mkdtempSync(join(inject('temporaryFolder'), 'config-'));

const ISSUER_RULE = 'must be like https://id.example/realm, without credentials, query or #';
const REDIS_RULE =
  'must be like redis://host:6379, rediss://… with TLS, or redis+sentinel://host:26379,host:26379/primary';
const SECRETS_RULE = 'must be like 2:new,1:old, different whole numbers and secrets of at least 32 characters';
const stores = { DATABASE_URL: 'postgresql://db/quiz', REDIS_URL: 'redis://cache' };
const read = (env: NodeJS.ProcessEnv = {}) =>
  readConfig({ ...stores, BETTER_AUTH_SECRET: SECRET, DATA_DIR: dataDir, ...env });
const OIDC = { OIDC_ISSUER: 'https://id.example:8443/realm', OIDC_CLIENT_ID: 'quiz', OIDC_CLIENT_SECRET: SECRET };
const PRODUCTION = { NODE_ENV: 'production', BETTER_AUTH_URL: 'https://quiz.example', RESEND_API_KEY: 're_1' };
/** @returns the lines with which an invalid environment is refused */
function linesOf(env: NodeJS.ProcessEnv): string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
  return [];
}

describe('[contract 8] defaults', () => {
  it('are those of the contract’s table', () => {
    expect(read()).toMatchObject({
      production: false,
      port: 3000,
      host: '0.0.0.0',
      metricsPort: 9464,
      logLevel: 'info',
      redis: { url: 'redis://cache', cluster: false },
      auth: { publicUrl: 'http://localhost:3000', trustedOrigins: ['http://localhost:3000'] },
      corsOrigins: ['http://localhost:3000'],
      trustProxy: [],
      mail: { outbox: join(dataDir, 'outbox.jsonl') },
      rateLimits: { auth: 20, game: 150, lobby: 20, export: 5, codeMiss: 10, account: 50, mail: 5, windowMs: 900_000 },
      sockets: { perUser: 20, perAddress: 2000 },
      roundDurationMs: 15_000,
      sessionTtlSeconds: 3600,
      lobbyIdleTtlSeconds: 7200,
    });
  });

  it('of OpenID Connect are the issuer’s host as its name, and three scopes', () => {
    expect(read(OIDC).auth.oidc).toEqual({
      clientId: 'quiz',
      clientSecret: SECRET,
      issuer: OIDC.OIDC_ISSUER,
      name: 'id.example:8443',
      scopes: ['openid', 'email', 'profile'],
    });
    const named = read({ ...OIDC, OIDC_NAME: ' Our School ', OIDC_SCOPES: 'openid email' });
    expect(named.auth.oidc).toMatchObject({ name: 'Our School', scopes: ['openid', 'email'] });
    expect(read().auth.emailSignUp).toBe(true);
    expect(read({ EMAIL_SIGN_UP: 'false' }).auth.emailSignUp).toBe(false);
  });

  it('derive from PORT, BETTER_AUTH_URL and CORS_ORIGIN', () => {
    expect(read({ PORT: '8080' }).auth.publicUrl).toBe('http://localhost:8080');
    expect(read({ BETTER_AUTH_URL: 'https://quiz.example' }).corsOrigins).toEqual(['https://quiz.example']);
    const { corsOrigins, auth } = read({ CORS_ORIGIN: 'https://a.example, https://b.example' });
    expect(corsOrigins).toEqual(['https://a.example', 'https://b.example']);
    expect(auth.trustedOrigins).toEqual(corsOrigins);
  });

  it('replace empty values', () => {
    expect(read({ PORT: '', CORS_ORIGIN: '', RESEND_API_KEY: '' })).toMatchObject({ port: 3000 });
  });

  it('include, outside production, a secret that is generated once and readable for this user only', () => {
    const own = mkdtempSync(join(dataDir, 'secret-'));
    const env = { BETTER_AUTH_SECRET: '', DATA_DIR: own };
    const { secret } = read(env).auth;
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(read(env).auth.secret).toBe(secret);
    expect(statSync(join(own, 'secret')).mode & 0o777).toBe(0o600);
  });
});

describe('[contract 8] an invalid value causes one line that names the variable', () => {
  it.each([
    ['PORT', 'abc', 'must be a number'],
    ['DATABASE_URL', 'mysql://db', 'must be an address that starts with postgresql:// or postgres://'],
    ['DATABASE_URL', '', 'is required (npm run dev brings its own; npm start and the worker need it)'],
    ['REDIS_URL', 'redis://a,redis://b', 'names several nodes, so REDIS_CLUSTER must be true'],
    ['BETTER_AUTH_SECRET', 'short', 'must be at least 32 characters'],
    ['BETTER_AUTH_SECRETS', SECRET, SECRETS_RULE],
    ['BETTER_AUTH_SECRETS', `1:${SECRET},1:${SECRET}x`, SECRETS_RULE],
    ['BETTER_AUTH_SECRETS', `1:${SECRET},`, SECRETS_RULE],
    ['BETTER_AUTH_URL', 'quiz.example', 'must be like https://quiz.example, without a path'],
    ['CORS_ORIGIN', 'https://a.example,*', 'must list origins like https://quiz.example, without paths'],
    ['TRUSTED_ORIGINS', 'a.example', 'must list origins like https://quiz.example, without paths'],
    ['TRUST_PROXY', '10.0.0.0/33', 'must list addresses, CIDRs, loopback, linklocal or uniquelocal'],
    ['GOOGLE_CLIENT_SECRET', '', 'is missing while its counterpart is set', { GOOGLE_CLIENT_ID: 'id' }],
    ['GITHUB_CLIENT_ID', '', 'is missing while its counterpart is set', { GITHUB_CLIENT_SECRET: 's' }],
    ['OIDC_SCOPES', 'openid,  email "x"', 'must list scopes separated by spaces'],
    ['RESEND_BASE_URL', 'ftp://x', 'must be an address that starts with http:// or https://'],
    ['PASSWORD_HASH_COST', '1000', 'must be a power of two'],
    ['NODE_ENV', 'prod', 'must be one of development, test, production'],
    ['REDIS_URL', 'cache:6379', REDIS_RULE],
    ['OIDC_ISSUER', 'id.example', ISSUER_RULE, OIDC],
    ['OIDC_ISSUER', 'ftp://id.example', ISSUER_RULE, OIDC],
    ['OIDC_ISSUER', 'https://u:p@id.example', ISSUER_RULE, OIDC],
    ['OIDC_ISSUER', 'https://id.example/?a=b', ISSUER_RULE, OIDC],
    ['OIDC_ISSUER', 'https://id.example/#a', ISSUER_RULE, OIDC],
    ['OIDC_ISSUER', 'https://', ISSUER_RULE, OIDC],
    ['OIDC_ISSUER', '', 'is missing while its counterpart is set', OIDC],
    ['OIDC_CLIENT_ID', '', 'is missing while its counterpart is set', OIDC],
    ['OIDC_CLIENT_SECRET', '', 'is missing while its counterpart is set', OIDC],
  ] as [string, string, string, NodeJS.ProcessEnv?][])('%s=%s', (name, value, message, more = {}) => {
    expect(linesOf({ ...more, [name]: value })).toEqual([`${name}: ${message}`]);
  });

  it('the variables of OpenID Connect are all there or none', () => {
    expect(read().auth.oidc).toBeUndefined();
    expect(linesOf({ OIDC_CLIENT_ID: 'quiz' })).toHaveLength(2);
  });

  it('BETTER_AUTH_SECRETS suffices in production, and its first secret signs', () => {
    const [fresh, old] = [`${SECRET}:new`, `${SECRET}-old`];
    const { auth } = read({ ...PRODUCTION, BETTER_AUTH_SECRET: '', BETTER_AUTH_SECRETS: ` 2:${fresh} , 1:${old}` });
    const secrets = [fresh, old].map((value, at) => ({ version: 2 - at, value }));
    expect(auth).toMatchObject({ secret: fresh, unversionedSecret: undefined, secrets });
  });

  it('all invalid variables are named at once', () => {
    const lines = linesOf({ PORT: 'x', LOG_LEVEL: 'x', NODE_ENV: 'production', BETTER_AUTH_SECRET: '' });
    const names = ['PORT', 'LOG_LEVEL', 'BETTER_AUTH_SECRET', 'BETTER_AUTH_URL', 'RESEND_API_KEY'];
    expect(lines.map((line) => line.split(':')[0])).toEqual(names);
  });

  it('no line contains a value', () => {
    const lines = linesOf({ DATABASE_URL: `mysql://u:${SECRET}@db`, REDIS_URL: SECRET, CORS_ORIGIN: SECRET });
    expect(lines).toHaveLength(3);
    expect(lines.join()).not.toContain(SECRET);
  });
});

describe('[contract 6, 8] production', () => {
  it('refuses to start without a secret, a public address and a Resend key', () => {
    expect(read(PRODUCTION).production).toBe(true);
    for (const name of ['BETTER_AUTH_SECRET', 'BETTER_AUTH_URL', 'RESEND_API_KEY'])
      expect(linesOf({ ...PRODUCTION, [name]: '' })).toEqual([
        expect.stringMatching(new RegExp(`^${name}: is required`)),
      ]);
  });

  it('refuses an issuer without TLS', () => {
    const plain = { ...OIDC, OIDC_ISSUER: 'http://127.0.0.1:4000' };
    expect(read(plain).auth.oidc).toMatchObject({ issuer: 'http://127.0.0.1:4000' });
    expect(linesOf({ ...PRODUCTION, ...plain })).toEqual(['OIDC_ISSUER: must start with https:// in production']);
  });

  it('refuses to start with a low cost of password hashes', () => {
    expect(read({ PASSWORD_HASH_COST: '16' }).auth.passwordHashCost).toBe(16);
    expect(read(PRODUCTION).auth.passwordHashCost).toBe(16_384);
    expect(read({ ...PRODUCTION, PASSWORD_HASH_COST: '32768' }).auth.passwordHashCost).toBe(32_768);
    expect(linesOf({ ...PRODUCTION, PASSWORD_HASH_COST: '8192' })).toEqual([
      'PASSWORD_HASH_COST: must be at least 16384 in production; less is for tests',
    ]);
  });

  it('generates no secret', () => {
    const own = mkdtempSync(join(dataDir, 'production-'));
    linesOf({ ...PRODUCTION, BETTER_AUTH_SECRET: '', DATA_DIR: own });
    expect(existsSync(join(own, 'secret'))).toBe(false);
  });
});

it.each(['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', 'loopback', 'loopback, 10.0.0.0/8'])(
  '[contract 8] TRUST_PROXY takes %s',
  (value) => {
    expect(read({ TRUST_PROXY: value }).trustProxy.join(', ')).toBe(value);
  },
);

it('.env.example names exactly the variables that the service reads', () => {
  const text = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
  const named = [...text.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual([...CONFIG_VARIABLES].sort());
});
