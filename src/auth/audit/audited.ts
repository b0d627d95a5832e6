// A better-auth plugin that writes the audit log: it maps operations to audit events. [contract 17]
import type { AuthContext, BetterAuthPlugin } from 'better-auth';
import { getSessionFromCtx, isAPIError } from 'better-auth/api';
import { type HookContext, hook, isHalfWay } from '../plugins/auth-hooks.ts';
import { CONFIRM_PATH, readLink } from '../sign-up/link.ts';
import type { AuditEvent, AuditLog, AuditOutcome } from './audit-log.ts';

const EVENTS: Record<string, AuditEvent> = {
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

const sessionOf = (hookContext: HookContext) => getSessionFromCtx(hookContext, { disableRefresh: true });

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
