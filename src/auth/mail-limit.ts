// How many emails an address has got: nobody's mailbox is to be filled by strangers who know it.
// [contract 17]
import type { RedisClient } from '../platform/redis.ts';
import { mailsKey } from './keys.ts';

export interface MailLimit {
  /** Emails to one recipient in a window. */
  max: number;
  windowMs: number;
}

/**
 * Counts an email; the window begins with its first.
 * @param redis a connection of role `commands`
 * @param recipient lower-cased
 * @returns whether it may be sent
 */
export async function mayBeSent(
  redis: RedisClient,
  { max, windowMs }: MailLimit,
  recipient: string,
): Promise<boolean> {
  const key = mailsKey(recipient);
  const replies = await redis.multi().incr(key).pexpire(key, windowMs, 'NX').exec();
  const [failure, count] = replies?.[0] ?? [new Error('Redis has not counted')];
  if (failure) throw failure;
  return Number(count) <= max;
}
