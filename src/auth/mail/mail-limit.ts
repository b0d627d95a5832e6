// Limits the emails to one mailbox, so that a stranger who knows the address can't fill it. [contract 17]
import type { RedisClient } from '../../platform/redis/redis.ts';
import { loadScript, runScript } from '../../platform/redis/scripts.ts';
import { mailsKey } from '../keys.ts';

const countScript = loadScript(new URL('lua/count-mail.lua', import.meta.url));

interface MailLimit {
  /** The number of emails to one mailbox that a window allows. */
  max: number;
  windowMs: number;
}

/** Matches a tag: from the first `+` after another character up to the domain. Mail servers ignore it. */
const TAG = /(?<=.)\+[^@]*(?=@)/;

/** @returns the mailbox that an address most likely belongs to: in lower case, without a tag */
function mailboxOf(address: string): string {
  return address.toLowerCase().replace(TAG, '');
}

/** Password resets have a budget of their own, so that a stranger can't use up the owner's. */
type MailBudget = 'password-reset' | 'others';

/** An email before it is sent. */
interface CountedMail {
  /** The address as stored in the account. */
  to: string;
  budget: MailBudget;
  /** The job that sends it. All its attempts count as one email. */
  jobId: string;
}

/**
 * Counts an email. The window begins with the first one of a budget.
 * @param redis a Redis connection of role `commands`
 * @returns whether it may be sent
 */
export async function mayBeSent(
  redis: RedisClient,
  { max, windowMs }: MailLimit,
  { to, budget, jobId }: CountedMail,
): Promise<boolean> {
  const key = mailsKey(budget, mailboxOf(to));
  return (await runScript(redis, countScript, [key], [max, windowMs, jobId])) === 1;
}
