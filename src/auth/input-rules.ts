// What users may send about themselves, checked before any account is looked up, so that a refusal
// doesn't tell whether there is one. [contract 17]
import { APIError, type BetterAuthPlugin } from 'better-auth';
import { getSessionFromCtx } from 'better-auth/api';
import { type Asked, hook } from './around.ts';
import { PASSKEY_NAMINGS } from './passkeys.ts';
import { IMAGE_RULE, isUserImage } from './user-image.ts';
import { NAME_RULE, parseUserName } from './user-name.ts';
import { isTooCommon } from './weak-passwords.ts';

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

/** A plugin, so that it stands before the endpoints without their knowing. */
export function inputRules(): BetterAuthPlugin {
  return {
    id: 'input-rules',
    hooks: {
      before: [
        hook(checkSignUp, '/sign-up/email'),
        hook(async ({ body }) => checkProfile(body), '/update-user', ...PASSKEY_NAMINGS),
        hook(checkChange, '/change-password'),
        hook(checkReset, '/reset-password'),
      ],
    },
  };
}

async function checkSignUp({ body }: Asked): Promise<void> {
  checkProfile(body);
  checkPassword(body?.password, body ?? {});
}

async function checkChange(asked: Asked): Promise<void> {
  const found = await getSessionFromCtx(asked, { disableRefresh: true });
  if (found) checkPassword(asked.body?.newPassword, found.user);
}

async function checkReset(asked: Asked): Promise<void> {
  checkPassword(asked.body?.newPassword, await ownerOfReset(asked));
}

/** What isn't there is left to better-auth. The name is put as it is stored. */
function checkProfile(body: { name?: unknown; image?: unknown } | undefined): void {
  if (body?.name !== undefined) {
    const name = typeof body.name === 'string' ? parseUserName(body.name) : null;
    if (name === null) throw refusal('INVALID_NAME', NAME_RULE);
    body.name = name;
  }
  if (body?.image !== undefined && !isUserImage(body.image))
    throw refusal('INVALID_IMAGE', IMAGE_RULE);
}

/** The length comes first, and that is better-auth's business. */
function checkPassword(password: unknown, owner: { email?: unknown; name?: unknown }): void {
  if (typeof password !== 'string') return;
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) return;
  const known = [owner.email, owner.name].filter((text) => typeof text === 'string');
  if (isTooCommon(password, known))
    throw refusal('PASSWORD_TOO_COMMON', 'This password is among the first to be guessed');
}

/** @returns whom a reset's token is for; nobody with a wrong one, which is refused afterwards */
async function ownerOfReset({ body, query, context }: Asked) {
  const token = body?.token || query?.token;
  if (typeof token !== 'string') return {};
  const { internalAdapter } = context;
  const reset = await internalAdapter.findVerificationValue(`reset-password:${token}`);
  return (reset && (await internalAdapter.findUserById(reset.value))) ?? {};
}

function refusal(code: string, message: string): APIError {
  return new APIError('BAD_REQUEST', { code, message });
}
