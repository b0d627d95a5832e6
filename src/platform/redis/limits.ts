// Counts and limits what a user, a client address or a mailbox does within a window, with counters in Redis that all
// replicas share. AppError accepts RATE_LIMITED only with the limit, so that no 429 lacks its headers. [contract 8, 17]
import { createHash } from 'node:crypto';
import { AppError, type Limit } from '../../errors.ts';
import { counter } from '../observability/metrics.ts';
import type { RedisClient } from './redis.ts';
import { loadScript, runScript } from './scripts.ts';

const limitScript = loadScript(new URL('lua/limit.lua', import.meta.url));
const putScript = loadScript(new URL('lua/put-members.lua', import.meta.url));
const takeTokenScript = loadScript(new URL('lua/take-token.lua', import.meta.url));

type Guessing = 'account' | 'auth' | 'code_miss' | 'second_factor' | 'stranger_code_miss';
type Creating = 'guest' | 'invitation' | 'invited_address' | 'lobby' | 'start';

/** The limiters by their names in the metrics. test/http/limiters.test.ts makes each of them refuse. */
export type Limiter = Guessing | Creating | 'export' | 'game' | 'message';
/** Two counters lead to something else than a refusal. */
type CounterName = Limiter | 'invited' | 'mail';

export const limitKey = (name: CounterName, subject: string) => `limit:${name}:${subject}`;

/** @returns the subject for an email address, which does not appear in Redis */
export function subjectOf(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32);
}

/** What a window allows to a subject: a user, a network, a mailbox. */
export interface Allowance {
  name: CounterName;
  subject: string;
  max: number;
  windowMs: number;
}

/** `always` counts refused ones too; `within` counts up to the limit, and `once` each member once; `never` looks. */
type Mode = 'always' | 'within' | 'never' | { once: string };

export interface Count {
  /** The number in this window with the present one; beyond `max` that is refused. */
  current: number;
  /** What remains of the window, ms. */
  ttl: number;
}

/** Counts something in the window of a subject, which begins with the first. @throws an outage */
export async function count(
  redis: RedisClient,
  { name, subject, max, windowMs }: Allowance,
  mode: Mode = 'always',
): Promise<Count> {
  const key = limitKey(name, subject);
  if (mode === 'never') {
    const current = Number(await redis.get(key)) + 1;
    return { current, ttl: current > max ? Math.max(await redis.pttl(key), 1) : 0 };
  }
  const args = typeof mode === 'string' ? [mode, windowMs, max] : ['once', windowMs, max, mode.once];
  const [current, ttl] = (await runScript(redis, limitScript, [key], args)) as [number, number];
  return { current, ttl };
}

interface Limited {
  name: Limiter;
  /** What there is too much of, for the error's detail: `games`. */
  what: string;
  max: number;
}
/** An allowance whose excess is refused. */
export type RefusedBeyond = Allowance & Limited;

/**
 * Counts in one window after the other; a refusal leaves those after it uncounted.
 * @throws AppError RATE_LIMITED beyond a limit; an outage
 */
export async function countOrRefuse(redis: RedisClient, allowances: RefusedBeyond[], mode?: Mode): Promise<void> {
  for (const allowance of allowances) {
    const { current, ttl } = await count(redis, allowance, mode);
    if (current > allowance.max) throw overLimit(allowance, ttl);
  }
}

/** Takes a token; each takes `refillMs` to come back. @throws AppError RATE_LIMITED without one; an outage */
export async function takeToken(
  redis: RedisClient,
  bucket: Limited & { refillMs: number },
  subject: string,
): Promise<void> {
  const args = [bucket.max, bucket.refillMs];
  const waitMs = Number(await runScript(redis, takeTokenScript, [limitKey(bucket.name, subject)], args));
  if (waitMs > 0) throw overLimit(bucket, waitMs);
}

/** A network that is counted. It may make `times` the requests of one client. */
export interface CountedNetwork {
  key: string;
  times: number;
}

/** @returns what each network of a client address may do, the narrowest first */
export function perNetwork<Shared extends Omit<Allowance, 'subject'>>(
  networks: CountedNetwork[],
  shared: Shared,
): (Shared & Allowance)[] {
  return networks.map(({ key, times }) => ({ ...shared, subject: key, max: times * shared.max }));
}

const limitedRequests = counter('quiz_requests_limited_total', 'Requests refused by a limiter.', ['limiter']);

/** Counts a refusal in the metrics. @returns the error to throw */
export function overLimit({ name, what, max }: Limited, waitMs: number): AppError {
  limitedRequests.inc({ limiter: name });
  const detail = `Too many ${what}. Try again in ${Math.ceil(waitMs / 1000)} seconds.`;
  return new AppError('RATE_LIMITED', detail, { limit: { max, waitMs }, retryAfterMs: waitMs });
}

export function limitHeaders({ max, waitMs }: Limit): Record<string, string> {
  const seconds = String(Math.ceil(waitMs / 1000));
  return {
    'retry-after': seconds,
    'ratelimit-limit': String(max),
    'ratelimit-remaining': '0',
    'ratelimit-reset': seconds,
  };
}

/** A member of a set whose members expire one by one, unless they are renewed, as the open sockets of a user do. */
export interface ExpiringMember {
  key: string;
  member: string;
}

/** Adds a member unless the set is full. @returns 0, or for a full set in how many ms its first member expires */
export async function addMember(
  redis: RedisClient,
  { key, member }: ExpiringMember,
  { max, ttlMs }: { max: number; ttlMs: number },
): Promise<number> {
  return Number(await runScript(redis, putScript, [key], [ttlMs, max, member]));
}

/** Renews members, and adds those that have expired or were lost. @param members their keys share one hash slot */
export async function renewMembers(redis: RedisClient, members: ExpiringMember[], ttlMs: number): Promise<void> {
  const keys = members.map(({ key }) => key);
  await runScript(redis, putScript, keys, [ttlMs, '', ...members.map(({ member }) => member)]);
}
