// Declares every variable of the environment with its type, bounds and default, and reads the configuration from
// process.env, which no other file reads. It is validated with zod once at start-up, and an invalid one stops the
// process with a line for each bad variable. [contract 8, 17]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import packageJson from '../package.json' with { type: 'json' };
import { BUDGETS } from './budgets.ts';
import { randomText } from './random-text.ts';
import { isRedisUrl, isSentinelUrl } from './redis-address.ts';

const int = (min: number, max: number, fallback: number) =>
  z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(fallback);

/** The default of the time that a command to Redis may take, ms. */
export const STORE_TIMEOUT_MS = 1000;

/** The default of the parameter N of scrypt, which is that of better-auth. */
export const PASSWORD_HASH_COST = 16_384;

/** The largest one: a hash then takes 256 MiB for about a second. */
export const PASSWORD_HASH_COST_MAX = 131_072;

/** A limit on what clients may do. It can't be turned off, and is at most a number that Redis can count. */
const bound = (fallback: number) => int(1, 1_000_000_000, fallback);

const itemsOf = (text: string) => text.split(',').map((item) => item.trim());
const list = z.string().transform((text) => itemsOf(text).filter(Boolean));

const origin = z.string().refine(isOrigin, 'must be like https://quiz.example, without a path');
const origins = list.pipe(
  z.array(z.string().refine(isOrigin, 'must list origins like https://quiz.example, without paths')),
);

const MIN_SECRET_LENGTH = 32;
const secret = z.string().min(MIN_SECRET_LENGTH, `must be at least ${MIN_SECRET_LENGTH} characters`);
const RULE = `must be like 2:new,1:old, different whole numbers and secrets of at least ${MIN_SECRET_LENGTH} characters`;

/** The versions of better-auth's secret. The first one signs and encrypts; the others decrypt what is older. */
const versionedSecrets = z
  .string()
  .transform((text) =>
    itemsOf(text).map((entry) => {
      const [, version, value = ''] = /^(\d{1,9})\s*:\s*(.*)$/s.exec(entry) ?? [];
      return { version: Number(version), value };
    }),
  )
  .refine((entries) => {
    const versions = new Set(entries.map(({ version }) => version));
    const areValid = entries.every(({ version, value }) => version >= 0 && value.length >= MIN_SECRET_LENGTH);
    return areValid && versions.size === entries.length;
  }, RULE);

const bool = z.stringbool({ truthy: ['true'], falsy: ['false'] });

/** Scopes as in RFC 6749, section 3.3. */
const SCOPES = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;

export const variables = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: int(0, 65_535, 3000),
  HOST: z.string().default('0.0.0.0'),
  METRICS_PORT: int(0, 65_535, 9464),
  CONSOLE_TOKEN: secret.regex(/^[\x21-\x7e]*$/, 'must have printable characters of ASCII, without spaces').optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z.string().refine(isPostgresUrl, 'must be an address that starts with postgresql:// or postgres://'),
  DATABASE_POOL_MAX: int(1, 500, 10),
  STORE_TIMEOUT_MS: int(100, 60_000, STORE_TIMEOUT_MS),
  REDIS_URL: z
    .string()
    .refine(
      isRedisUrl,
      'must be like redis://host:6379, rediss://… with TLS, or redis+sentinel://host:26379,host:26379/primary',
    ),
  REDIS_CLUSTER: bool.default(false),
  CLOCK_QUEUES: int(1, 64, 1),
  BUSY_AFTER_MS: int(1, 1_000_000_000, 1000),
  BETTER_AUTH_SECRET: secret.optional(),
  BETTER_AUTH_SECRETS: versionedSecrets.optional(),
  BETTER_AUTH_URL: origin.optional(),
  PASSWORD_HASH_COST: int(16, PASSWORD_HASH_COST_MAX, PASSWORD_HASH_COST).refine(
    (cost) => Number.isInteger(Math.log2(cost)),
    'must be a power of two',
  ),
  COOKIE_DOMAIN: z.string().optional(),
  TRUSTED_ORIGINS: origins.optional(),
  CORS_ORIGIN: origins.optional(),
  TRUST_PROXY: list
    .pipe(z.array(z.string().refine(isProxyRange, 'must list addresses, CIDRs, loopback, linklocal or uniquelocal')))
    .default([]),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, 'must be like https://id.example/realm, without credentials, query or #')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().trim().min(1).max(50, 'must have at most 50 characters').optional(),
  OIDC_SCOPES: z
    .string()
    .refine((text) => SCOPES.test(text), 'must list scopes separated by spaces')
    .default('openid email profile')
    .transform((text) => text.split(' ')),
  EMAIL_SIGN_UP: bool.default(true),
  RESEND_API_KEY: z.string().optional(),
  RESEND_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
    .optional(),
  EMAIL_FROM: z.string().default('Vocabulary Quiz <onboarding@resend.dev>'),
  MAIL_OUTBOX: z.string().optional(),
  RATE_LIMIT_AUTH_MAX: bound(BUDGETS.authRequests.max),
  RATE_LIMIT_GAME_MAX: bound(BUDGETS.gameRequests.max),
  RATE_LIMIT_LOBBY_MAX: bound(BUDGETS.lobbies.max),
  RATE_LIMIT_GUEST_MAX: bound(BUDGETS.guests.max),
  RATE_LIMIT_EXPORT_MAX: bound(BUDGETS.exports.max),
  RATE_LIMIT_CODE_MISS_MAX: bound(BUDGETS.codeMisses.max),
  RATE_LIMIT_ACCOUNT_MAX: bound(BUDGETS.failedPasswords.max),
  RATE_LIMIT_MAIL_MAX: bound(BUDGETS.mails.max),
  RATE_LIMIT_WINDOW_MS: int(1000, 86_400_000, 900_000),
  SOCKETS_PER_USER_MAX: bound(BUDGETS.socketsOfUser.max),
  SOCKETS_PER_ADDRESS_MAX: bound(BUDGETS.socketsOfAddress.max),
  ROUND_DURATION_MS: int(100, 600_000, 15_000),
  SESSION_TTL_SECONDS: int(1, 604_800, BUDGETS.quizLife.max),
  LOBBY_IDLE_TTL_SECONDS: int(1, 2_592_000, BUDGETS.idleLobby.max),
  GUESTS: bool.default(false),
  WEB_PAGE: bool.default(true),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  // The SDK reads these and its other OTEL_* variables itself; the service only decides whether to load it.
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.string().optional(),
  OTEL_SDK_DISABLED: z.string().optional(),
});

export const CONFIG_VARIABLES = Object.keys(variables.shape);

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

/** Reads the variables for a command, which may find the addresses of the stores elsewhere. @throws ConfigError */
export function readCommandVariables() {
  const set = withoutEmpty(process.env);
  const parsed = variables.partial({ DATABASE_URL: true, REDIS_URL: true }).safeParse(set);
  if (!parsed.success) throw new ConfigError(describe(parsed.error, set));
  return parsed.data;
}

const withoutEmpty = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

function describe(error: z.ZodError, set: NodeJS.ProcessEnv): string[] {
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
function brokenRules(set: NodeJS.ProcessEnv, v: Settings | undefined): string[] {
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
function halfProviders(set: NodeJS.ProcessEnv): string[] {
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

function isPostgresUrl(text: string): boolean {
  return itemsOf(text).every((url) => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url));
}

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** An issuer is an address without query and fragment (OpenID Connect Discovery 1.0, section 3). */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  return /^https?:\/\/[^?#@]+$/.test(text) && url !== null && url.username === '';
}

function isProxyRange(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  const fits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (bits ?? 0));
  return bits !== undefined && fits && rest.length === 0;
}
