// Passkeys: better-auth's plugin and additional rules. A passkey is accepted only if the device has verified its
// user. It is then two factors by itself, so that no code is asked for. [contract 17]
import { passkey } from '@better-auth/passkey';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, isAPIError } from 'better-auth/api';
import { BUDGETS } from '../../budgets.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { type HookContext, hook, refusal, sessionOf } from './auth-hooks.ts';

const REGISTRATION = '/passkey/verify-registration';
const AUTHENTICATION = '/passkey/verify-authentication';
/** They need a fresh sign-in. */
export const PASSKEY_ADDITIONS = ['/passkey/generate-register-options', REGISTRATION];
export const PASSKEY_NAMINGS = [REGISTRATION, '/passkey/update-passkey'];

export function passkeys({ publicUrl, trustedOrigins }: Config['auth']) {
  const plugin = passkey({
    rpName: 'Vocabulary Quiz',
    rpID: new URL(publicUrl).hostname,
    origin: [new URL(publicUrl).origin, ...trustedOrigins],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: { afterVerification: async ({ verification }) => needUser(verification.registrationInfo) },
    authentication: { afterVerification: async ({ verification }) => needUser(verification.authenticationInfo) },
  });
  const verifyPasskeyRegistration = blamingInput(plugin.endpoints.verifyPasskeyRegistration);
  return { ...plugin, endpoints: { ...plugin.endpoints, verifyPasskeyRegistration } };
}

export function passkeyRules(db: Database): BetterAuthPlugin {
  async function refuseTooMany(hookContext: HookContext): Promise<void> {
    const userId = (await sessionOf(hookContext))?.user.id;
    if (userId && (await db.passkey.count({ where: { userId } })) >= BUDGETS.passkeys.max)
      throw refusal('BAD_REQUEST', 'TOO_MANY_PASSKEYS', `An account has ${BUDGETS.passkeys.max} passkeys at most`);
  }

  const before = [hook(needResponse, REGISTRATION, AUTHENTICATION), hook(refuseTooMany, REGISTRATION)];
  return { id: 'passkey-rules', hooks: { before } };
}

/** Refuses an id that the database can't hold, before it is looked up. */
async function needResponse({ body }: HookContext): Promise<void> {
  if (typeof body?.response?.id === 'string') return;
  throw refusal('BAD_REQUEST', 'VALIDATION_ERROR', 'The response is not one of an authenticator');
}

function needUser(checked: { userVerified: boolean } | undefined): void {
  if (checked?.userVerified) return;
  throw refusal('BAD_REQUEST', 'USER_NOT_VERIFIED', 'The device has not made sure who is using it');
}

/** Turns better-auth's 500 for an invalid response of a device into a 400. */
function blamingInput<Endpoint extends (...args: never[]) => Promise<unknown>>(endpoint: Endpoint): Endpoint {
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
