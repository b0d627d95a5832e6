// Reads the configuration from process.env, which no other file reads. It is validated with zod once at start-up, and
// an invalid one stops the process with a line for each bad variable. [contract 8]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import packageJson from '../package.json' with { type: 'json' };
import { PASSWORD_HASH_COST, variables } from './config/variables.ts';
import { randomText } from './random-text.ts';
import { isSentinelUrl } from './redis-address.ts';

/** The configuration is invalid; `lines` has one line for each bad variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly lines: string[];
  constructor(lines: string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

export type SocialCredentials = NonNullable<ReturnType<typeof credentials>>;
/** The house's own identity provider. [contract 22] */
export type OidcSettings = NonNullable<ReturnType<typeof oidcSettings>>;
export type Config = ReturnType<typeof readConfig>;

type Variables = Record<string, string | undefined>;
type Settings = z.output<typeof variables>;

/** Reads and checks the configuration. @param env an empty value counts as unset @throws ConfigError */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const set = withoutEmpty(env);
  const parsed = variables.safeParse(set);
  const unreadable = parsed.success ? [] : describe(parsed.error, set);
  const lines = [...unreadable, ...halfProviders(set), ...brokenRules(set, parsed.data)];
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
    consoleToken: v.CONSOLE_TOKEN,
    logLevel: v.LOG_LEVEL,
    dataDir: v.DATA_DIR,
    database: { url: v.DATABASE_URL, poolMax: v.DATABASE_POOL_MAX, timeoutMs: v.STORE_TIMEOUT_MS },
    redis: { url: v.REDIS_URL, cluster: v.REDIS_CLUSTER, timeoutMs: v.STORE_TIMEOUT_MS },
    clockQueues: v.CLOCK_QUEUES,
    /** New work that would wait for longer is refused, ms. */
    busyAfterMs: v.BUSY_AFTER_MS,
    auth: {
      /** The secret that signs cookies and links: that of the first version, if there are versions. */
      secret: v.BETTER_AUTH_SECRETS?.[0]?.value ?? v.BETTER_AUTH_SECRET ?? localSecret(v.DATA_DIR),
      /** The versions of the secret: the first one encrypts, and all of them decrypt. */
      secrets: v.BETTER_AUTH_SECRETS,
      /** Decrypts values that were stored before there were versions. */
      unversionedSecret: v.BETTER_AUTH_SECRET,
      /** The parameter N of scrypt, with which passwords are hashed. */
      passwordHashCost: v.PASSWORD_HASH_COST,
      publicUrl,
      cookieDomain: v.COOKIE_DOMAIN,
      trustedOrigins: v.TRUSTED_ORIGINS ?? corsOrigins,
      google: credentials(v.GOOGLE_CLIENT_ID, v.GOOGLE_CLIENT_SECRET),
      github: credentials(v.GITHUB_CLIENT_ID, v.GITHUB_CLIENT_SECRET),
      oidc: oidcSettings(v),
      emailSignUp: v.EMAIL_SIGN_UP,
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
      guest: v.RATE_LIMIT_GUEST_MAX,
      export: v.RATE_LIMIT_EXPORT_MAX,
      codeMiss: v.RATE_LIMIT_CODE_MISS_MAX,
      account: v.RATE_LIMIT_ACCOUNT_MAX,
      mail: v.RATE_LIMIT_MAIL_MAX,
      windowMs: v.RATE_LIMIT_WINDOW_MS,
    },
    /** How many sockets may be open: for one user on all replicas, and for one client address on this one. */
    sockets: { perUser: v.SOCKETS_PER_USER_MAX, perAddress: v.SOCKETS_PER_ADDRESS_MAX },
    tracing: isTracing(v),
    roundDurationMs: v.ROUND_DURATION_MS,
    sessionTtlSeconds: v.SESSION_TTL_SECONDS,
    lobbyIdleTtlSeconds: v.LOBBY_IDLE_TTL_SECONDS,
    guests: v.GUESTS,
    webPage: v.WEB_PAGE,
  };
}

function isTracing(v: Settings): boolean {
  const isNamed = v.OTEL_EXPORTER_OTLP_ENDPOINT ?? v.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? v.OTEL_TRACES_EXPORTER;
  return isNamed !== undefined && v.OTEL_TRACES_EXPORTER !== 'none' && v.OTEL_SDK_DISABLED !== 'true';
}

/** Reads the configuration, or prints its errors and ends the process. */
export function readConfigOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const line of error.lines) console.error(line);
    process.exit(1);
  }
}

/** Reads what commands for the stores need. Unset addresses are undefined. @throws ConfigError */
export function readStoreUrls() {
  const set = withoutEmpty(process.env);
  const parsed = variables.partial({ DATABASE_URL: true, REDIS_URL: true }).safeParse(set);
  if (!parsed.success) throw new ConfigError(describe(parsed.error, set));
  const v = parsed.data;
  return {
    dataDir: v.DATA_DIR,
    databaseUrl: v.DATABASE_URL,
    redisUrl: v.REDIS_URL,
    redisCluster: v.REDIS_CLUSTER,
    lobbyIdleTtlSeconds: v.LOBBY_IDLE_TTL_SECONDS,
    clockQueues: v.CLOCK_QUEUES,
  };
}

const withoutEmpty = (env: Variables): Variables =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

function describe(error: z.ZodError, set: Variables): string[] {
  const lines = new Map<string, string>();
  for (const issue of error.issues) {
    const variable = String(issue.path[0]);
    let { message } = issue;
    if (issue.code === 'invalid_value') message = `must be one of ${issue.values.join(', ')}`;
    if (set[variable] === undefined)
      message = 'is required (npm run dev brings its own; npm start and the worker need it)';
    if (!lines.has(variable)) lines.set(variable, `${variable}: ${message}`);
  }
  return [...lines.values()];
}

/** @returns a line for each broken rule about production or several variables @param v undefined where it is invalid */
function brokenRules(set: Variables, v: Settings | undefined): string[] {
  const inProduction = set.NODE_ENV === 'production';
  const secret = set.BETTER_AUTH_SECRETS ?? set.BETTER_AUTH_SECRET;
  // An attacker who has stolen the table could guess passwords with a low cost cheaply.
  const isCheap = Number(set.PASSWORD_HASH_COST ?? PASSWORD_HASH_COST) < PASSWORD_HASH_COST;
  const isList = v?.REDIS_URL.includes(',') && !isSentinelUrl(v.REDIS_URL);
  const rules: [isBroken: boolean | undefined, line: string][] = [
    [inProduction && !secret, 'BETTER_AUTH_SECRET: is required in production'],
    [inProduction && !set.BETTER_AUTH_URL, 'BETTER_AUTH_URL: is required in production'],
    [inProduction && !set.RESEND_API_KEY, 'RESEND_API_KEY: is required in production, or nobody can verify an address'],
    [
      inProduction && isCheap,
      `PASSWORD_HASH_COST: must be at least ${PASSWORD_HASH_COST} in production; less is for tests`,
    ],
    // Without TLS, anybody on the way could sign in as anybody.
    [inProduction && set.OIDC_ISSUER?.startsWith('http:'), 'OIDC_ISSUER: must start with https:// in production'],
    [v?.CONSOLE_TOKEN !== undefined && v.METRICS_PORT === 0, 'CONSOLE_TOKEN: needs METRICS_PORT, where the console is'],
    [isList && !v?.REDIS_CLUSTER, 'REDIS_URL: names several nodes, so REDIS_CLUSTER must be true'],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, line]) => line);
}

const PROVIDERS = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
];

/** A provider without any of its variables is off. With some of them, the others were probably forgotten. */
function halfProviders(set: Variables): string[] {
  return PROVIDERS.flatMap((names) => {
    const missing = names.filter((name) => !set[name]);
    if (missing.length === names.length) return [];
    return missing.map((name) => `${name}: is missing while its counterpart is set`);
  });
}

function credentials(clientId: string | undefined, clientSecret: string | undefined) {
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

function oidcSettings(v: Settings) {
  const client = credentials(v.OIDC_CLIENT_ID, v.OIDC_CLIENT_SECRET);
  if (!client || !v.OIDC_ISSUER) return undefined;
  const { host } = new URL(v.OIDC_ISSUER);
  return { ...client, issuer: v.OIDC_ISSUER, name: v.OIDC_NAME ?? host, scopes: v.OIDC_SCOPES };
}

/**
 * @returns the secret that signs sessions when none is configured: the content of `DATA_DIR/secret`, which all
 *   processes of this machine share, so that a restart signs nobody out
 * @throws Error for an empty file, which a full disk leaves
 */
export function localSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, `${randomText(32)}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '') throw new Error(`${file} is empty: remove it`);
  return secret;
}
