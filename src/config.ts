// The only reader of process.env. Read once at start-up, checked with zod; a bad value stops the
// process with one line a variable. [contract 8]
import { join } from 'node:path';
import type { z } from 'zod';
import packageJson from '../package.json' with { type: 'json' };
import { localSecret } from './config/local-secret.ts';
import { variables } from './config/variables.ts';
import { isSentinelUrl } from './redis-address.ts';

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
  const parsed = variables.safeParse(set);
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
    /** Over how many queues the clocks of the games are spread. */
    clockQueues: v.CLOCK_QUEUES,
    /** New work that would wait for longer is refused, ms. */
    busyAfterMs: v.BUSY_AFTER_MS,
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
      guest: v.RATE_LIMIT_GUEST_MAX,
      codeMiss: v.RATE_LIMIT_CODE_MISS_MAX,
      account: v.RATE_LIMIT_ACCOUNT_MAX,
      mail: v.RATE_LIMIT_MAIL_MAX,
      windowMs: v.RATE_LIMIT_WINDOW_MS,
    },
    /** Open sockets at most: of one user over all replicas, of one client address on this one. */
    sockets: { perUser: v.SOCKETS_PER_USER_MAX, perAddress: v.SOCKETS_PER_ADDRESS_MAX },
    tracing: isTracing(v),
    roundDurationMs: v.ROUND_DURATION_MS,
    sessionTtlSeconds: v.SESSION_TTL_SECONDS,
    lobbyIdleTtlSeconds: v.LOBBY_IDLE_TTL_SECONDS,
    /** Whether one can play by a name alone. */
    guests: v.GUESTS,
    /** Whether the page to play on is served at `/`. */
    webPage: v.WEB_PAGE,
  };
}

/** Traces are sent when the standard variables say where to; see src/platform/tracing.ts. */
function isTracing(v: z.output<typeof variables>): boolean {
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
export function readStoreUrls() {
  const set = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
  const parsed = variables
    .pick({
      DATA_DIR: true,
      DATABASE_URL: true,
      REDIS_URL: true,
      REDIS_CLUSTER: true,
      LOBBY_IDLE_TTL_SECONDS: true,
    })
    .partial({ DATABASE_URL: true, REDIS_URL: true })
    .safeParse(set);
  if (!parsed.success) throw new ConfigError(describe(parsed.error, set));
  const v = parsed.data;
  return {
    dataDir: v.DATA_DIR,
    databaseUrl: v.DATABASE_URL,
    redisUrl: v.REDIS_URL,
    redisCluster: v.REDIS_CLUSTER,
    lobbyIdleTtlSeconds: v.LOBBY_IDLE_TTL_SECONDS,
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
