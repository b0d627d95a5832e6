// Passkeys, a second way in: better-auth's plugin, and what it leaves open. A passkey counts only where
// the device has made sure who holds it, and so is two factors by itself: no code is asked for beside
// it. [contract 17]
import { passkey } from '@better-auth/passkey';
import { APIError, type BetterAuthPlugin } from 'better-auth';
import { getSessionFromCtx, isAPIError } from 'better-auth/api';
import type { Config } from '../config.ts';
import type { Database } from '../platform/postgres.ts';
import { type Asked, hook } from './around.ts';

/** Nobody has more devices, and each is read at every look at them. */
const MAX_PASSKEYS = 20;

const REGISTRATION = '/passkey/verify-registration';
const AUTHENTICATION = '/passkey/verify-authentication';

/** Where a user's ways in are added to: not without a fresh sign-in. */
export const PASSKEY_ADDITIONS = ['/passkey/generate-register-options', REGISTRATION];
/** Where passkeys get their names. */
export const PASSKEY_NAMINGS = [REGISTRATION, '/passkey/update-passkey'];

/** @returns better-auth's plugin, set up for the public address */
export function passkeys({ publicUrl, trustedOrigins }: Config['auth']) {
  const plugin = passkey({
    rpName: 'Vocabulary Quiz',
    rpID: new URL(publicUrl).hostname,
    origin: [new URL(publicUrl).origin, ...trustedOrigins],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: async ({ verification }) =>
        needVerifiedUser(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: async ({ verification }) =>
        needVerifiedUser(verification.authenticationInfo.userVerified),
    },
  });
  const { verifyPasskeyRegistration } = plugin.endpoints;
  return {
    ...plugin,
    endpoints: {
      ...plugin.endpoints,
      verifyPasskeyRegistration: blamingInput(verifyPasskeyRegistration),
    },
  };
}

/** Rules around it; it has to stand beside the other rules about input. */
export function passkeyRules(db: Database): BetterAuthPlugin {
  async function refuseTooMany(asked: Asked): Promise<void> {
    const userId = (await getSessionFromCtx(asked, { disableRefresh: true }))?.user.id;
    if (userId && (await db.passkey.count({ where: { userId } })) >= MAX_PASSKEYS)
      throw new APIError('BAD_REQUEST', {
        code: 'TOO_MANY_PASSKEYS',
        message: `An account has ${MAX_PASSKEYS} passkeys at most`,
      });
  }

  return {
    id: 'passkey-rules',
    hooks: {
      before: [hook(needResponse, REGISTRATION, AUTHENTICATION), hook(refuseTooMany, REGISTRATION)],
    },
  };
}

/** The database is asked for its id before anybody looks at it. */
async function needResponse({ body }: Asked): Promise<void> {
  if (typeof body?.response?.id === 'string') return;
  throw new APIError('BAD_REQUEST', {
    code: 'VALIDATION_ERROR',
    message: 'The response is not one of an authenticator',
  });
}

function needVerifiedUser(isVerified: boolean | undefined): void {
  if (isVerified) return;
  throw new APIError('BAD_REQUEST', {
    code: 'USER_NOT_VERIFIED',
    message: 'The device has not made sure who is using it',
  });
}

/** better-auth calls what a device or a stranger sends wrongly a failure of its own. */
function blamingInput<Endpoint extends (...args: never[]) => Promise<unknown>>(
  endpoint: Endpoint,
): Endpoint {
  const blaming = async (...args: Parameters<Endpoint>) => {
    try {
      return await endpoint(...args);
    } catch (error) {
      if (!isAPIError(error) || error.body?.code !== 'FAILED_TO_VERIFY_REGISTRATION') throw error;
      throw new APIError('BAD_REQUEST', error.body);
    }
  };
  return Object.assign(blaming, endpoint) as unknown as Endpoint;
}
