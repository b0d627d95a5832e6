// Hashes passwords by scrypt. A hash is a PHC string, which names its cost, so that the cost can be raised at any time:
// older hashes stay valid, and a sign-in replaces them.
import { createHmac, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { BetterAuthPlugin } from 'better-auth';
import { PASSWORD_HASH_COST_MAX } from '../config.ts';
import type { Logger } from '../platform/observability/logger.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { compatible } from '../text.ts';
import { type HookContext, hook, isHalfWay } from './plugins/auth-hooks.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const KEY_BYTES = 64;
const SALT_BYTES = 16;
const BLOCK_SIZE = 16;
export type PasswordHash = ReturnType<typeof createPasswordHash>;

/** @param cost scrypt's N, a power of two; memory and time are proportional to it */
export function createPasswordHash(cost: number) {
  async function hashWith(salt: Buffer, password: string): Promise<string> {
    const key = await keyOf(password, salt, cost);
    return `$scrypt$ln=${Math.log2(cost)},r=${BLOCK_SIZE},p=1$${withoutPadding(salt)}$${withoutPadding(key)}`;
  }

  return {
    hash: (password: string) => hashWith(randomBytes(SALT_BYTES), password),
    /** The time is that of the present cost for a cheaper hash too, so that it doesn't tell the age of an account. */
    async verify({ hash, password }: { hash: string; password: string }): Promise<boolean> {
      const stored = parse(hash) ?? { cost, salt: Buffer.alloc(SALT_BYTES), key: null };
      const key = await keyOf(password, stored.salt, stored.cost);
      // The costs from that of the hash on, each twice the one before, add up to the present one.
      for (let other = stored.cost; other < cost; other *= 2) await keyOf(password, stored.salt, other);
      return stored.key !== null && timingSafeEqual(stored.key, key);
    },
    isCurrent: (hash: string) => (parse(hash)?.cost ?? 0) >= cost,
    /**
     * The salt is derived from the address, so that two sign-ups with the same address, in lower case, and password are
     * recognised as equal without verifying the password. The secret hides it from somebody who has only the table.
     */
    hashForAddress(email: string, password: string, secret: string): Promise<string> {
      const salt = createHmac('sha256', secret).update(`sign-up:${email}`).digest();
      return hashWith(salt.subarray(0, SALT_BYTES), password);
    },
  };
}

function keyOf(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { N: cost, r: BLOCK_SIZE, p: 1, maxmem: 2 * 128 * cost * BLOCK_SIZE };
  return derive(compatible(password), salt, KEY_BYTES, options);
}

const withoutPadding = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=16,p=1\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{86})$/;

/** @returns null for a text that is no hash of this service */
function parse(hash: string): { cost: number; salt: Buffer; key: Buffer } | null {
  const [, exponent, salt = '', key = ''] = PHC.exec(hash) ?? [];
  const cost = 2 ** Number(exponent);
  if (!(cost >= 2 && cost <= PASSWORD_HASH_COST_MAX)) return null;
  return { cost, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') };
}

/** @returns a plugin that hashes a password anew at a sign-in whose hash is of an earlier cost */
export function raiseCost(db: Database, passwordHash: PasswordHash, logger: Logger): BetterAuthPlugin {
  async function raise({ body, context }: HookContext): Promise<void> {
    if (!context.newSession && !isHalfWay(context.returned)) return;
    const account = await db.account.findFirst({
      where: { providerId: 'credential', user: { email: body.email.toLowerCase() } },
      select: { id: true, password: true },
    });
    if (!account?.password || passwordHash.isCurrent(account.password)) return;
    const password = await passwordHash.hash(body.password);
    // A password that was changed meanwhile stays.
    await db.account.updateMany({ where: { id: account.id, password: account.password }, data: { password } });
  }

  // The sign-in counts even if the hash stays as it is; the next one tries again.
  const note = (error: unknown) => logFailure(logger, 'warn', error, 'a password keeps a hash of an earlier cost');
  const tryToRaise = (hookContext: HookContext) => raise(hookContext).catch(note);
  return { id: 'raise-cost', hooks: { after: [hook(tryToRaise, '/sign-in/email')] } };
}
