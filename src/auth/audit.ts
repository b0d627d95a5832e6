// The audit log of accounts, and the better-auth plugin that writes it. An event is one log line with `audit: true`,
// that has no secret; it has an email address as a keyed hash (HMAC), so that lines can be matched. [contract 17]
import { createHmac } from 'node:crypto';
import type { BetterAuthPlugin } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import type { Logger } from '../platform/observability/logger.ts';
import { counter } from '../platform/observability/metrics.ts';
import { CLIENT_ADDRESS_HEADER, type HookContext, hook, isHalfWay, sessionOf } from './plugins/auth-hooks.ts';
import { CONFIRM_PATH, readLink } from './sign-up/links.ts';

/** The events, each with better-auth's operations that are one. */
const OPERATIONS = {
  'sign-in': [
    '/sign-in/email',
    '/sign-in/social',
    '/sign-in/anonymous',
    '/passkey/verify-authentication',
    '/callback/:id',
  ],
  'sign-out': ['/sign-out', '/revoke-session', '/revoke-sessions', '/revoke-other-sessions'],
  'password-check': ['/verify-password'],
  'address-confirmation': [CONFIRM_PATH],
  'password-change': ['/change-password'],
  'password-reset': ['/reset-password'],
  'account-deletion': ['/delete-user'],
  'passkey-change': ['/passkey/verify-registration', '/passkey/delete-passkey'],
  'second-factor': ['/two-factor/verify-totp', '/two-factor/verify-backup-code'],
  'second-factor-change': ['/two-factor/enable', '/two-factor/disable', '/two-factor/generate-backup-codes'],
} satisfies Record<string, string[]>;

export type AuditEvent = keyof typeof OPERATIONS;

export const eventOf = (path: string) =>
  (Object.keys(OPERATIONS) as AuditEvent[]).find((event) => OPERATIONS[event].includes(path));

interface AuditDetails {
  userId?: string | undefined;
  email?: string | undefined;
  /** The error code with which better-auth refused the operation. */
  reason?: string | undefined;
  /** The name that an operator gave to the console. */
  operator?: string | undefined;
  headers?: Headers | undefined;
}

type AuditOutcome = 'done' | 'failed' | 'limited' | 'second-factor';
export type AuditLog = (event: AuditEvent, outcome: AuditOutcome, details: AuditDetails) => void;

const HELP = 'Events of accounts, as the audit lines tell them, by outcome.';
const events = counter('quiz_account_events_total', HELP, ['event', 'outcome']);

/** @param secret the key of the addresses' HMAC; without it the lines have the user's id only */
export function createAuditLog(logger: Logger, secret?: string): AuditLog {
  const accountOf = (email: string | undefined) => {
    if (email === undefined || secret === undefined) return undefined;
    const hash = createHmac('sha256', secret).update(email.toLowerCase());
    return hash.digest('base64url').slice(0, 16);
  };

  return (event, outcome, { userId, email, reason, operator, headers }) => {
    events.inc({ event, outcome });
    const account = accountOf(email);
    const client = headers?.get(CLIENT_ADDRESS_HEADER) ?? undefined;
    const agent = headers?.get('user-agent')?.slice(0, 200);
    logger.info({ audit: true, event, outcome, reason, operator, userId, account, client, agent }, 'audit');
  };
}

/** @returns the plugin; it reads the final response, so that it has to come after the other plugins */
export function audited(audit: AuditLog): BetterAuthPlugin {
  async function tell({ body, context, headers, path }: HookContext): Promise<void> {
    const event = eventOf(path);
    if (!event) return;
    const { newSession, returned, secret, session } = context;
    const reason = refusalIn(returned);
    const passed = isHalfWay(returned) ? 'second-factor' : 'done';
    // The reset's own code logs a reset whose user is known, and a redirect to a provider decides nothing yet.
    const isElsewhere = event === 'password-reset' || (event === 'sign-in' && !newSession && passed === 'done');
    if (!reason && isElsewhere) return;
    const outcome = reason ? 'failed' : passed;
    const user = (newSession ?? session)?.user;
    const link = typeof body?.token === 'string' ? await readLink(body.token, secret) : null;
    const named = typeof body?.email === 'string' ? body.email : link?.email;
    audit(event, outcome, { userId: user?.id, email: user?.email ?? named, reason, headers });
  }

  // The session is gone afterwards, so that the user is read before.
  const before = [hook(async (hookContext) => void (await sessionOf(hookContext)), '/sign-out')];
  return { id: 'audited', hooks: { before, after: [hook(tell, ...Object.values(OPERATIONS).flat())] } };
}

/** @returns the error code of a refused operation; a redirect has it in its address */
function refusalIn(returned: unknown): string | undefined {
  if (!isAPIError(returned)) return undefined;
  if (returned.status !== 'FOUND') return returned.body?.code ?? String(returned.status);
  const location = new Headers(returned.headers).get('location') ?? '';
  return URL.parse(location, 'http://localhost')?.searchParams.get('error') ?? undefined;
}
