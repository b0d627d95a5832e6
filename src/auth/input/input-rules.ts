// Checks names, pictures, addresses and passwords before any account is looked up, so that a refusal does not
// reveal whether there is one. [contract 17]

import type { BetterAuthPlugin } from 'better-auth';
import { APIError, getSessionFromCtx } from 'better-auth/api';
import { type HookContext, hook } from '../plugins/auth-hooks.ts';
import { RESET_PREFIX } from '../plugins/better-auth-names.ts';
import { PASSKEY_NAMINGS } from '../plugins/passkeys.ts';
import { CHOOSE_PATH } from '../sign-up/link.ts';
import { checkTexts, MAX_PASSWORD_LENGTH } from './text-rules.ts';
import { IMAGE_RULE, isUserImage } from './user-image.ts';
import { NAME_RULE, parseUserName } from './user-name.ts';
import { isTooCommon } from './weak-passwords.ts';

export const MIN_PASSWORD_LENGTH = 8;

/** @returns a plugin whose hook runs before better-auth's endpoints */
export function inputRules(): BetterAuthPlugin {
  return {
    id: 'input-rules',
    hooks: {
      before: [
        hook(checkTexts),
        hook(checkSignUp, '/sign-up/email'),
        hook(async ({ body }) => checkProfile(body), '/update-user', CHOOSE_PATH, ...PASSKEY_NAMINGS),
        hook(checkChange, '/change-password'),
        hook(checkReset, '/reset-password'),
      ],
    },
  };
}

async function checkSignUp({ body }: HookContext): Promise<void> {
  checkProfile(body);
  checkPassword(body?.password, body ?? {});
}

async function checkChange(hookContext: HookContext): Promise<void> {
  const found = await getSessionFromCtx(hookContext, { disableRefresh: true });
  if (found) checkPassword(hookContext.body?.newPassword, found.user);
}

async function checkReset(hookContext: HookContext): Promise<void> {
  checkPassword(hookContext.body?.newPassword, await ownerOfReset(hookContext));
}

/** Checks a body's fields and replaces the name by its stored form. better-auth handles missing fields. */
function checkProfile(body: { name?: unknown; image?: unknown } | undefined): void {
  if (body?.name !== undefined) {
    const name = typeof body.name === 'string' ? parseUserName(body.name) : null;
    if (name === null) throw refusal('INVALID_NAME', NAME_RULE);
    body.name = name;
  }
  if (body?.image !== undefined && !isUserImage(body.image)) throw refusal('INVALID_IMAGE', IMAGE_RULE);
}

/**
 * Refuses a password that is among the first guesses. Other code checks its length.
 * @throws APIError PASSWORD_TOO_COMMON
 */
export function checkPassword(password: unknown, owner: { email?: unknown; name?: unknown }): void {
  if (typeof password !== 'string') return;
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) return;
  const known = [owner.email, owner.name].filter((text) => typeof text === 'string');
  // Blanks at its ends do not make a password harder to guess.
  if (password.trim().length < MIN_PASSWORD_LENGTH || isTooCommon(password, known))
    throw refusal('PASSWORD_TOO_COMMON', 'This password is among the first to be guessed');
}

/** @returns the user of a reset's token, or undefined for a wrong token, which is refused later */
async function ownerOfReset({ body, query, context }: HookContext) {
  const token = body?.token || query?.token;
  if (typeof token !== 'string') return {};
  const { internalAdapter } = context;
  const reset = await internalAdapter.findVerificationValue(`${RESET_PREFIX}${token}`);
  return (reset && (await internalAdapter.findUserById(reset.value))) ?? {};
}

function refusal(code: string, message: string): APIError {
  return new APIError('BAD_REQUEST', { code, message });
}
