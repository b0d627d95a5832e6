// The audit log of accounts: who did what, from where, and with which outcome. An event is one log line with
// `audit: true`. A line has no secret; it has a keyed hash (HMAC) of an email address instead of the address, so
// that lines about one address can be matched. [contract 17]
import { createHmac } from 'node:crypto';
import type { Logger } from '../../platform/observability/logger.ts';
import { counter } from '../../platform/observability/metrics.ts';
import { CLIENT_ADDRESS_HEADER } from '../plugins/auth-hooks.ts';

export type AuditEvent =
  | 'sign-in'
  | 'sign-out'
  | 'password-check'
  | 'password-change'
  | 'password-reset'
  | 'account-deletion'
  | 'address-confirmation'
  | 'passkey-change'
  | 'second-factor'
  | 'second-factor-change';

export type AuditOutcome = 'done' | 'failed' | 'limited' | 'second-factor';

/** The acting user, as far as known, and the means. */
export interface AuditDetails {
  userId?: string | undefined;
  email?: string | undefined;
  /** The error code with which better-auth refused the operation. */
  reason?: string | undefined;
  /** The name that an operator gave to the console. */
  operator?: string | undefined;
  headers?: Headers | undefined;
}

export type AuditLog = (event: AuditEvent, outcome: AuditOutcome, details: AuditDetails) => void;

const events = counter('quiz_account_events_total', 'Events of accounts, as the audit lines tell them, by outcome.', [
  'event',
  'outcome',
]);

/** @param secret the key of the addresses' HMAC; without it the lines have the user's id only */
export function createAuditLog(logger: Logger, secret?: string): AuditLog {
  const accountOf = (email: string | undefined) => {
    if (email === undefined || secret === undefined) return undefined;
    const hash = createHmac('sha256', secret).update(email.toLowerCase());
    return hash.digest('base64url').slice(0, 16);
  };

  return (event, outcome, { userId, email, reason, operator, headers }) => {
    events.inc({ event, outcome });
    logger.info(
      {
        audit: true,
        event,
        outcome,
        reason,
        operator,
        userId,
        account: accountOf(email),
        client: headers?.get(CLIENT_ADDRESS_HEADER) ?? undefined,
        agent: headers?.get('user-agent')?.slice(0, 200),
      },
      'audit',
    );
  };
}
