// What happened to accounts, for whoever has to find out later: who, from where, how it ended. One line
// an event, with `audit: true`; no secret in it, and instead of an address what only this service can
// make of one, so that lines about one address can be told to belong together. [contract 17]
import { createHmac } from 'node:crypto';
import type { Logger } from '../platform/logger.ts';
import { counter } from '../platform/metrics.ts';
import { CLIENT_ADDRESS_HEADER } from './around.ts';

export type AuditEvent =
  | 'sign-in'
  | 'sign-out'
  | 'password-change'
  | 'password-reset'
  | 'account-deletion'
  | 'passkey-change'
  | 'second-factor'
  | 'second-factor-change';

export type AuditOutcome = 'done' | 'failed' | 'limited' | 'second-factor';

/** Who did it, as far as it is known, and what with. */
export interface AuditDetails {
  userId?: string | undefined;
  email?: string | undefined;
  /** better-auth's code of a refusal. */
  reason?: string | undefined;
  headers?: Headers | undefined;
}

export type AuditLog = (event: AuditEvent, outcome: AuditOutcome, details: AuditDetails) => void;

const events = counter(
  'quiz_account_events_total',
  'Events of accounts, as the audit lines tell them, by outcome.',
  ['event', 'outcome'],
);

/** @param secret what addresses are hidden with */
export function createAuditLog(logger: Logger, secret: string): AuditLog {
  const accountOf = (email: string) =>
    createHmac('sha256', secret).update(email.toLowerCase()).digest('base64url').slice(0, 16);

  return (event, outcome, { userId, email, reason, headers }) => {
    events.inc({ event, outcome });
    logger.info(
      {
        ...{ audit: true, event, outcome, reason, userId },
        account: email === undefined ? undefined : accountOf(email),
        client: headers?.get(CLIENT_ADDRESS_HEADER) ?? undefined,
        agent: headers?.get('user-agent')?.slice(0, 200),
      },
      'audit',
    );
  };
}
