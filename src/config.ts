// The only reader of process.env. Read once at start-up, checked with zod; a bad value stops the
// process with one line a variable. [contract 8]
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import packageJson from '../package.json' with { type: 'json' };
import { isRedisUrl, isSentinelUrl } from './redis-address.ts';

const int = (min: number, max: number, fallback: number) =>
  z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(fallback);

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

const origin = z.string().refine(isOrigin, 'must be like https://quiz.example, without a path');
const origins = list.pipe(
  z.array(
    z.string().refine(isOrigin, 'must list origins like https://quiz.example, without paths'),
  ),
);

const storeUrl = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (text) =>
        text
          .split(',')
          .every((url) =>
            schemes.some((s) => url.trim().startsWith(`${s}://`) && URL.canParse(url.trim())),
          ),
      `must be an address that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`,
    );

const schema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: int(0, 65_535, 3000),
  HOST: z.string().default('0.0.0.0'),
  METRICS_PORT: int(0, 65_535, 9464),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: storeUrl('postgresql', 'postgres'),
  DATABASE_POOL_MAX: int(1, 500, 10),
  REDIS_URL: z
    .string()
    .refine(
      isRedisUrl,
      'must be like redis://host:6379, rediss://… with TLS, or redis+sentinel://host:26379,host:26379/primary',
    ),
  REDIS_CLUSTER: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
  BETTER_AUTH_SECRET: z.string().min(32, 'must be at least 32 characters').optional(),
  BETTER_AUTH_URL: origin.optional(),
  COOKIE_DOMAIN: z.string().optional(),
  TRUSTED_ORIGINS: origins.optional(),
  CORS_ORIGIN: origins.optional(),
  TRUST_PROXY: list
    .pipe(
      z.array(
        z
          .string()
          .refine(isProxyRange, 'must list addresses, CIDRs, loopback, linklocal or uniquelocal'),
      ),
    )
    .default([]),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  RESEND_API_KEY: z.string().optional(),
  RESEND_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
    .optional(),
  EMAIL_FROM: z.string().default('Vocabulary Quiz <onboarding@resend.dev>'),
  MAIL_OUTBOX: z.string().optional(),
  RATE_LIMIT_AUTH_MAX: int(1, 1_000_000_000, 20),
  RATE_LIMIT_GAME_MAX: int(1, 1_000_000_000, 150),
  RATE_LIMIT_LOBBY_MAX: int(1, 1_000_000_000, 20),
  RATE_LIMIT_WINDOW_MS: int(1000, 86_400_000, 900_000),
  ROUND_DURATION_MS: int(100, 600_000, 15_000),
  SESSION_TTL_SECONDS: int(1, 604_800, 3600),
  LOBBY_IDLE_TTL_SECONDS: int(1, 2_592_000, 7200),
  WEB_PAGE: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(true),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  // The SDK reads these and its other OTEL_* variables itself; here they only say whether to load it.
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.string().optional(),
  OTEL_SDK_DISABLED: z.string().optional(),
});

/** The names of all variables. */
export const CONFIG_VARIABLES = Object.keys(schema.shape);

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function isProxyRange(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  const fits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (bits ?? 0));
  return bits !== undefined && fits && rest.length === 0;
}

/** A configuration that cannot be used; `lines` has one line a variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly lines: string[];
  constructor(lines: string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** One social sign-in provider's credentials. */
export interface SocialCredentials {
  clientId: string;
  clientSecret: string;
}

/** Everything the environment decides. Durations say their unit in their name. */
export type Config = ReturnType<typeof readConfig>;

/**
 * Reads and checks the configuration.
 * @param env the variables; an empty value counts as unset
 * @throws ConfigError naming every bad variable at once
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(set);
  const lines = [
    ...(parsed.success ? [] : describe(parsed.error, set)),
    ...halfProviders(set),
    ...(set.NODE_ENV === 'production' ? missingInProduction(set) : []),
    ...(parsed.data &&
    !parsed.data.REDIS_CLUSTER &&
    !isSentinelUrl(parsed.data.REDIS_URL) &&
    parsed.data.REDIS_URL.includes(',')
      ? ['REDIS_URL: names several nodes, so REDIS_CLUSTER must be true']
      : []),
  ];
  if (!parsed.success || lines.length > 0) throw new ConfigError(lines);
  const v = parsed.data;
  const publicUrl = v.BETTER_AUTH_URL ?? `http://localhost:${v.PORT}`;
  const corsOrigins = v.CORS_ORIGIN ?? [publicUrl];

  return {
    version: packageJson.version,
    production: v.NODE_ENV === 'production',
    port: v.PORT,
    host: v.HOST,
    metricsPort: v.METRICS_PORT,
    logLevel: v.LOG_LEVEL,
    dataDir: v.DATA_DIR,
    database: { url: v.DATABASE_URL, poolMax: v.DATABASE_POOL_MAX },
    redis: { url: v.REDIS_URL, cluster: v.REDIS_CLUSTER },
    auth: {
      secret: v.BETTER_AUTH_SECRET ?? localSecret(v.DATA_DIR),
      publicUrl,
      cookieDomain: v.COOKIE_DOMAIN,
      trustedOrigins: v.TRUSTED_ORIGINS ?? corsOrigins,
      google: credentials(v.GOOGLE_CLIENT_ID, v.GOOGLE_CLIENT_SECRET),
      github: credentials(v.GITHUB_CLIENT_ID, v.GITHUB_CLIENT_SECRET),
    },
    corsOrigins,
    trustProxy: v.TRUST_PROXY,
    mail: {
      resendApiKey: v.RESEND_API_KEY,
      resendBaseUrl: v.RESEND_BASE_URL,
      from: v.EMAIL_FROM,
      outbox: v.MAIL_OUTBOX ?? join(v.DATA_DIR, 'outbox.jsonl'),
    },
    rateLimits: {
      auth: v.RATE_LIMIT_AUTH_MAX,
      game: v.RATE_LIMIT_GAME_MAX,
      lobby: v.RATE_LIMIT_LOBBY_MAX,
      windowMs: v.RATE_LIMIT_WINDOW_MS,
    },
    tracing: isTracing(v),
    roundDurationMs: v.ROUND_DURATION_MS,
    sessionTtlSeconds: v.SESSION_TTL_SECONDS,
    lobbyIdleTtlSeconds: v.LOBBY_IDLE_TTL_SECONDS,
    /** Whether the page to play on is served at `/`. */
    webPage: v.WEB_PAGE,
  };
}

/** Traces are sent when the standard variables say where to; see src/platform/tracing.ts. */
function isTracing(v: z.output<typeof schema>): boolean {
  const isNamed =
    v.OTEL_EXPORTER_OTLP_ENDPOINT ?? v.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? v.OTEL_TRACES_EXPORTER;
  return (
    isNamed !== undefined && v.OTEL_TRACES_EXPORTER !== 'none' && v.OTEL_SDK_DISABLED !== 'true'
  );
}

/** Reads the configuration, or prints what is wrong with it and ends the process. */
export function readConfigOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const line of error.lines) console.error(line);
    process.exit(1);
  }
}

type Variables = Record<string, string | undefined>;

/**
 * What a command needs that only speaks to the stores; addresses are undefined when unset.
 * @throws ConfigError naming every bad variable at once
 */
export function readStoreUrls(env: NodeJS.ProcessEnv = process.env) {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema
    .pick({ DATA_DIR: true, DATABASE_URL: true, REDIS_URL: true, REDIS_CLUSTER: true })
    .partial({ DATABASE_URL: true, REDIS_URL: true })
    .safeParse(set);
  if (!parsed.success) throw new ConfigError(describe(parsed.error, set));
  const { DATA_DIR, DATABASE_URL, REDIS_URL, REDIS_CLUSTER } = parsed.data;
  return {
    dataDir: DATA_DIR,
    databaseUrl: DATABASE_URL,
    redisUrl: REDIS_URL,
    redisCluster: REDIS_CLUSTER,
  };
}

/** One line a variable: the first thing that is wrong with it. */
function describe(error: z.ZodError, set: Variables): string[] {
  const lines = new Map<string, string>();
  for (const issue of error.issues) {
    const variable = String(issue.path[0]);
    if (lines.has(variable)) continue;
    const message =
      set[variable] === undefined
        ? 'is required (npm run dev brings its own; npm start and the worker need it)'
        : issue.code === 'invalid_value'
          ? `must be one of ${issue.values.join(', ')}`
          : issue.message;
    lines.set(variable, `${variable}: ${message}`);
  }
  return [...lines.values()];
}

function missingInProduction(set: Variables): string[] {
  return [
    ['BETTER_AUTH_SECRET', 'is required in production'],
    ['BETTER_AUTH_URL', 'is required in production'],
    ['RESEND_API_KEY', 'is required in production, or nobody can verify an address'],
  ].flatMap(([name = '', message]) => (set[name] ? [] : [`${name}: ${message}`]));
}

/** A provider without both halves is off; with one, somebody forgot the other. */
function halfProviders(set: Variables): string[] {
  return ['GOOGLE_CLIENT', 'GITHUB_CLIENT'].flatMap((provider) => {
    const missing = [`${provider}_ID`, `${provider}_SECRET`].filter((name) => !set[name]);
    return missing.length === 1 ? [`${missing[0]}: is missing while its counterpart is set`] : [];
  });
}

function credentials(
  clientId: string | undefined,
  clientSecret: string | undefined,
): SocialCredentials | undefined {
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

/** Outside production every process of this machine shares one secret, made at first use. */
function localSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
    try {
      // Whole or not at all: another process that starts now never reads half a secret.
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return readFileSync(file, 'utf8').trim();
}
