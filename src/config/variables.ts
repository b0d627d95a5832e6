// Declares every variable of the environment with its type, bounds and default. src/config.ts builds the configuration
// from them. [contract 8, 17]
import { isIP } from 'node:net';
import { z } from 'zod';
import { BUDGETS } from '../budgets.ts';
import { isRedisUrl } from '../redis-address.ts';

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
