// Which of better-auth's operations are told in the audit log, and as what. [contract 17]
import type { BetterAuthPlugin } from 'better-auth';
import { getSessionFromCtx, isAPIError } from 'better-auth/api';
import { type Asked, hook, isHalfWay } from './around.ts';
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

/** @returns a plugin; it looks at what others have made of a request, and so comes late */
export function audited(audit: AuditLog): BetterAuthPlugin {
  async function tell({ body, context, headers, path }: Asked): Promise<void> {
    const event = EVENTS[path];
    if (!event) return;
    const { newSession, returned, session } = context;
    const reason = refusalIn(returned);
    const outcome = isHalfWay(returned)
      ? 'second-factor'
      : outcomeOf(event, reason, newSession !== null);
    // Where a reset names its user it is told by those who reset.
    if (!outcome || (event === 'password-reset' && outcome === 'done')) return;
    const user = (newSession ?? session)?.user;
    const named = typeof body?.email === 'string' ? body.email : undefined;
    audit(event, outcome, { userId: user?.id, email: user?.email ?? named, reason, headers });
  }

  return {
    id: 'audited',
    hooks: {
      // Afterwards nobody knows who it was.
      before: [hook(async (asked) => void (await sessionOf(asked)), '/sign-out')],
      after: [hook(tell, ...Object.keys(EVENTS))],
    },
  };
}

const sessionOf = (asked: Asked) => getSessionFromCtx(asked, { disableRefresh: true });

/** @returns nothing for what is only a step on the way to a provider */
function outcomeOf(
  event: AuditEvent,
  reason: string | undefined,
  isSignedIn: boolean,
): AuditOutcome | undefined {
  if (reason) return 'failed';
  return event !== 'sign-in' || isSignedIn ? 'done' : undefined;
}

/** @returns why an operation was refused; a redirect says it in its address */
function refusalIn(returned: unknown): string | undefined {
  if (!isAPIError(returned)) return undefined;
  if (returned.status !== 'FOUND') return returned.body?.code ?? String(returned.status);
  const location = new Headers(returned.headers).get('location') ?? '';
  return URL.parse(location, 'http://localhost')?.searchParams.get('error') ?? undefined;
}
