// The audit log of accounts, and the better-auth plugin that writes it: who did what, from where, and with which
// outcome. An event is one log line with `audit: true`. A line has no secret; it has a keyed hash (HMAC) of an email
// address instead of the address, so that lines about one address can be matched. [contract 17]
import { createHmac } from 'node:crypto';
import type { AuthContext, BetterAuthPlugin } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import type { Logger } from '../platform/observability/logger.ts';
import { counter } from '../platform/observability/metrics.ts';
import { CLIENT_ADDRESS_HEADER, type HookContext, hook, isHalfWay, sessionOf } from './plugins/auth-hooks.ts';
import { CONFIRM_PATH, readLink } from './sign-up/links.ts';

type AuditEvent =
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

type AuditOutcome = 'done' | 'failed' | 'limited' | 'second-factor';

interface AuditDetails {
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

export const EVENTS: Record<string, AuditEvent> = {
  '/sign-in/email': 'sign-in',
  '/sign-in/social': 'sign-in',
  '/sign-in/anonymous': 'sign-in',
  '/passkey/verify-authentication': 'sign-in',
  '/callback/:id': 'sign-in',
  '/sign-out': 'sign-out',
  '/revoke-session': 'sign-out',
  '/revoke-sessions': 'sign-out',
  '/revoke-other-sessions': 'sign-out',
  '/verify-password': 'password-check',
  [CONFIRM_PATH]: 'address-confirmation',
  '/change-password': 'password-change',
  '/reset-password': 'password-reset',
  '/delete-user': 'account-deletion',
  '/passkey/verify-registration': 'passkey-change',
  '/passkey/delete-passkey': 'passkey-change',
  '/two-factor/verify-totp': 'second-factor',
  '/two-factor/verify-backup-code': 'second-factor',
  '/two-factor/enable': 'second-factor-change',
  '/two-factor/disable': 'second-factor-change',
  '/two-factor/generate-backup-codes': 'second-factor-change',
};

/** @returns the plugin; it reads the final response, so that it has to come after the other plugins */
export function audited(audit: AuditLog): BetterAuthPlugin {
  async function tell({ body, context, headers, path }: HookContext): Promise<void> {
    const event = EVENTS[path];
    if (!event) return;
    const { newSession, returned, session } = context;
    const reason = refusalIn(returned);
    const outcome = isHalfWay(returned) ? 'second-factor' : outcomeOf(event, reason, newSession !== null);
    // The reset's own code logs a reset whose user is known.
    if (!outcome || (event === 'password-reset' && outcome === 'done')) return;
    const user = (newSession ?? session)?.user;
    const named = typeof body?.email === 'string' ? body.email : await addressOfLink(body, context);
    audit(event, outcome, { userId: user?.id, email: user?.email ?? named, reason, headers });
  }

  return {
    id: 'audited',
    hooks: {
      // The session is gone afterwards, so that the user is read before.
      before: [hook(async (hookContext) => void (await sessionOf(hookContext)), '/sign-out')],
      after: [hook(tell, ...Object.keys(EVENTS))],
    },
  };
}

/** @returns the address that a request's confirmation link is for, or undefined */
const addressOfLink = async (body: { token?: unknown } | undefined, { secret }: AuthContext) =>
  typeof body?.token === 'string' ? (await readLink(body.token, secret))?.email : undefined;

/** @returns the outcome, or undefined for a redirect to a provider, which decides nothing yet */
function outcomeOf(event: AuditEvent, reason: string | undefined, isSignedIn: boolean): AuditOutcome | undefined {
  if (reason) return 'failed';
  return event !== 'sign-in' || isSignedIn ? 'done' : undefined;
}

/** @returns the error code of a refused operation; a redirect has it in its address */
function refusalIn(returned: unknown): string | undefined {
  if (!isAPIError(returned)) return undefined;
  if (returned.status !== 'FOUND') return returned.body?.code ?? String(returned.status);
  const location = new Headers(returned.headers).get('location') ?? '';
  return URL.parse(location, 'http://localhost')?.searchParams.get('error') ?? undefined;
}
