import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIG_VARIABLES } from '../../src/config/variables.ts';
import { ConfigError, readConfig } from '../../src/config.ts';

const SECRET = 'a-secret-that-nobody-may-see-in-an-error';
let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'quiz-config-'));
});
afterAll(() => rmSync(dataDir, { recursive: true }));

const stores = { DATABASE_URL: 'postgresql://db/quiz', REDIS_URL: 'redis://cache' };
const read = (env: NodeJS.ProcessEnv = {}) =>
  readConfig({ ...stores, BETTER_AUTH_SECRET: SECRET, DATA_DIR: dataDir, ...env });
/** @returns the lines that a bad environment is refused with */
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
  it('are those of the table', () => {
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
      rateLimits: {
        auth: 20,
        game: 150,
        lobby: 20,
        codeMiss: 10,
        account: 50,
        mail: 5,
        windowMs: 900_000,
      },
      sockets: { perUser: 20, perAddress: 1000 },
      roundDurationMs: 15_000,
      sessionTtlSeconds: 3600,
      lobbyIdleTtlSeconds: 7200,
    });
  });

  it('follow other variables: PORT, BETTER_AUTH_URL, CORS_ORIGIN', () => {
    expect(read({ PORT: '8080' }).auth.publicUrl).toBe('http://localhost:8080');
    expect(read({ BETTER_AUTH_URL: 'https://quiz.example' }).corsOrigins).toEqual([
      'https://quiz.example',
    ]);
    const { corsOrigins, auth } = read({ CORS_ORIGIN: 'https://a.example, https://b.example' });
    expect(corsOrigins).toEqual(['https://a.example', 'https://b.example']);
    expect(auth.trustedOrigins).toEqual(corsOrigins);
  });

  it('stand for empty values', () => {
    expect(read({ PORT: '', CORS_ORIGIN: '', RESEND_API_KEY: '' })).toMatchObject({ port: 3000 });
  });

  it('the secret is made once, outside production, for this user alone', () => {
    const own = mkdtempSync(join(dataDir, 'secret-'));
    const env = { BETTER_AUTH_SECRET: '', DATA_DIR: own };
    const { secret } = read(env).auth;
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(read(env).auth.secret).toBe(secret);
    expect(statSync(join(own, 'secret')).mode & 0o777).toBe(0o600);
  });
});

describe('[contract 8] a bad value is one line that names the variable', () => {
  it.each([
    ['PORT', 'abc', 'must be a number'],
    ['PORT', '70000', 'must be at most 65535'],
    ['PORT', '1.5', 'must be a whole number'],
    ['METRICS_PORT', '-1', 'must be at least 0'],
    [
      'DATABASE_URL',
      'mysql://db',
      'must be an address that starts with postgresql:// or postgres://',
    ],
    [
      'DATABASE_URL',
      '',
      'is required (npm run dev brings its own; npm start and the worker need it)',
    ],
    ['DATABASE_POOL_MAX', '0', 'must be at least 1'],
    ['REDIS_URL', 'redis://a,redis://b', 'names several nodes, so REDIS_CLUSTER must be true'],
    ['REDIS_CLUSTER', 'maybe', 'must be one of true, false'],
    ['BETTER_AUTH_SECRET', 'short', 'must be at least 32 characters'],
    ['BETTER_AUTH_URL', 'quiz.example', 'must be like https://quiz.example, without a path'],
    [
      'BETTER_AUTH_URL',
      'https://quiz.example/',
      'must be like https://quiz.example, without a path',
    ],
    [
      'CORS_ORIGIN',
      'https://a.example,*',
      'must list origins like https://quiz.example, without paths',
    ],
    ['TRUSTED_ORIGINS', 'a.example', 'must list origins like https://quiz.example, without paths'],
    [
      'TRUST_PROXY',
      '10.0.0.0/33',
      'must list addresses, CIDRs, loopback, linklocal or uniquelocal',
    ],
    ['TRUST_PROXY', '1', 'must list addresses, CIDRs, loopback, linklocal or uniquelocal'],
    ['TRUST_PROXY', '10.0.0', 'must list addresses, CIDRs, loopback, linklocal or uniquelocal'],
    [
      'GOOGLE_CLIENT_SECRET',
      '',
      'is missing while its counterpart is set',
      { GOOGLE_CLIENT_ID: 'id' },
    ],
    [
      'GITHUB_CLIENT_ID',
      '',
      'is missing while its counterpart is set',
      { GITHUB_CLIENT_SECRET: 's' },
    ],
    ['RESEND_BASE_URL', 'ftp://x', 'must be an address that starts with http:// or https://'],
    ['RATE_LIMIT_AUTH_MAX', '0', 'must be at least 1'],
    ['RATE_LIMIT_WINDOW_MS', '1', 'must be at least 1000'],
    ['ROUND_DURATION_MS', '15s', 'must be a number'],
    ['SESSION_TTL_SECONDS', '0', 'must be at least 1'],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['NODE_ENV', 'prod', 'must be one of development, test, production'],
  ] as [string, string, string, NodeJS.ProcessEnv?][])(
    '%s=%s',
    (name, value, message, more = {}) => {
      expect(linesOf({ ...more, [name]: value })).toEqual([`${name}: ${message}`]);
    },
  );

  it('REDIS_URL=cache:6379', () => {
    expect(linesOf({ REDIS_URL: 'cache:6379' })).toEqual([
      expect.stringMatching(/^REDIS_URL: must be .*redis:\/\//),
    ]);
  });

  it('all bad variables are named at once', () => {
    const lines = linesOf({
      PORT: 'x',
      LOG_LEVEL: 'x',
      NODE_ENV: 'production',
      BETTER_AUTH_SECRET: '',
    });
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'PORT',
      'LOG_LEVEL',
      'BETTER_AUTH_SECRET',
      'BETTER_AUTH_URL',
      'RESEND_API_KEY',
    ]);
  });

  it('no line holds a value', () => {
    const lines = linesOf({
      DATABASE_URL: `mysql://u:${SECRET}@db`,
      REDIS_URL: SECRET,
      CORS_ORIGIN: SECRET,
    });
    expect(lines).toHaveLength(3);
    expect(lines.join()).not.toContain(SECRET);
  });
});

describe('[contract 6, 8] production', () => {
  const production = {
    NODE_ENV: 'production',
    BETTER_AUTH_URL: 'https://quiz.example',
    RESEND_API_KEY: 're_1',
  };

  it('refuses to start without a secret, a public address and a Resend key', () => {
    expect(read(production).production).toBe(true);
    for (const name of ['BETTER_AUTH_SECRET', 'BETTER_AUTH_URL', 'RESEND_API_KEY'])
      expect(linesOf({ ...production, [name]: '' })).toEqual([
        expect.stringMatching(new RegExp(`^${name}: is required`)),
      ]);
  });

  it('makes no secret of its own', () => {
    const own = mkdtempSync(join(dataDir, 'production-'));
    linesOf({ ...production, BETTER_AUTH_SECRET: '', DATA_DIR: own });
    expect(existsSync(join(own, 'secret'))).toBe(false);
  });
});

it.each(['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', 'loopback', 'loopback, 10.0.0.0/8'])(
  '[contract 8] TRUST_PROXY takes %s',
  (value) => {
    expect(read({ TRUST_PROXY: value }).trustProxy.join(', ')).toBe(value);
  },
);

it('.env.example names exactly the variables that are read', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const named = [...text.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual([...CONFIG_VARIABLES].sort());
});
