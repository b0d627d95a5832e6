// Re-encrypts a stored second factor at its first use after a rotation of the secret, so that the old secret can be
// retired. better-auth decrypts with every configured secret and encrypts with the first, but never re-encrypts.
// [contract 17]
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, isAPIError } from 'better-auth/api';
import { parseEnvelope, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Logger } from '../../platform/observability/logger.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { type HookContext, hook } from '../plugins/auth-hooks.ts';
import { noteOutage } from '../store-failures.ts';
import { CODE_PATHS, ownerOfCode, VERIFY_BACKUP_CODE, VERIFY_TOTP } from './second-factor-codes.ts';

const FIELDS = ['secret', 'backupCodes'] as const;

/** The field that an operation of better-auth decrypts. */
const DECRYPTED: Record<string, (typeof FIELDS)[number]> = {
  [VERIFY_TOTP]: 'secret',
  '/two-factor/get-totp-uri': 'secret',
  [VERIFY_BACKUP_CODE]: 'backupCodes',
};

const UNREADABLE = {
  code: 'SECOND_FACTOR_UNREADABLE',
  message: 'The second factor of this account can no longer be read. Ask whoever runs this service to remove it.',
};

/** @returns a plugin; it has to run before the limit of codes, which counts no code that can't be verified */
export function secondFactorKeys(db: Database, logger: Logger, audit: AuditLog): BetterAuthPlugin {
  /** Refuses the request if the field's secret was retired, where better-auth would answer 500. */
  async function refuseUnreadable(hookContext: HookContext): Promise<void> {
    const { context, headers, path } = hookContext;
    const userId = await ownerOfCode(hookContext);
    const row = userId && (await noteOutage(() => db.twoFactor.findUnique({ where: { userId } })));
    const data = row ? row[DECRYPTED[path] ?? 'secret'] : undefined;
    if (!data || (await isReadable(context.secretConfig, data))) return;
    audit('second-factor', 'failed', { userId, headers, reason: UNREADABLE.code });
    throw new APIError('FORBIDDEN', UNREADABLE);
  }

  async function renew({ context }: HookContext): Promise<void> {
    const { newSession, returned, secretConfig: key, session } = context;
    const userId = (newSession ?? session)?.user.id;
    if (!userId || isAPIError(returned) || typeof key === 'string') return;
    const row = await db.twoFactor.findUnique({ where: { userId } });
    for (const field of FIELDS) {
      const stored = row?.[field];
      if (!stored || parseEnvelope(stored)?.version === key.currentVersion) continue;
      const data = await symmetricDecrypt({ key, data: stored });
      const renewed = { [field]: await symmetricEncrypt({ key, data }) };
      // The condition keeps a backup code that is used at the same moment from coming back.
      await db.twoFactor.updateMany({ where: { userId, [field]: stored }, data: renewed });
    }
  }

  /** Logs a failed re-encryption. The sign-in succeeds, and the next use tries again. */
  async function renewIfPossible(hookContext: HookContext): Promise<void> {
    await renew(hookContext).catch((error: Error) =>
      logger.warn({ cause: error.message }, 'a second factor was not encrypted anew'),
    );
  }

  return {
    id: 'second-factor-keys',
    hooks: {
      before: [hook(refuseUnreadable, ...Object.keys(DECRYPTED))],
      after: [hook(renewIfPossible, ...CODE_PATHS)],
    },
  };
}

type Keys = HookContext['context']['secretConfig'];

function isReadable(key: Keys, data: string): Promise<boolean> {
  return symmetricDecrypt({ key, data }).then(
    () => true,
    () => false,
  );
}
