// What users may send about themselves, checked before any account is looked up, so that a refusal
// doesn't tell whether there is one. [contract 17]
import { APIError, type BetterAuthPlugin, type GenericEndpointContext } from 'better-auth';
import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { IMAGE_RULE, isUserImage } from './user-image.ts';
import { NAME_RULE, parseUserName } from './user-name.ts';
import { isTooCommon, type PasswordOwner } from './weak-passwords.ts';

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

/** A plugin, so that it stands before the endpoints without their knowing. */
export function inputRules(): BetterAuthPlugin {
  return {
    id: 'input-rules',
    hooks: {
      before: [
        before('/sign-up/email', async ({ body }) => {
          checkProfile(body);
          checkPassword(body?.password, { email: body?.email, name: body?.name });
        }),
        before('/update-user', async ({ body }) => checkProfile(body)),
        before('/change-password', async (context) => {
          const found = await getSessionFromCtx(context, { disableRefresh: true });
          if (found) checkPassword(context.body?.newPassword, found.user);
        }),
        before('/reset-password', async (context) => {
          checkPassword(context.body?.newPassword, await ownerOfReset(context));
        }),
      ],
    },
  };
}

function before(path: string, check: (context: GenericEndpointContext) => Promise<void>) {
  return {
    matcher: (context: { path?: string }) => context.path === path,
    handler: createAuthMiddleware(check),
  };
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
function checkPassword(password: unknown, owner: PasswordOwner): void {
  if (typeof password !== 'string') return;
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) return;
  if (isTooCommon(password, owner))
    throw refusal('PASSWORD_TOO_COMMON', 'This password is among the first to be guessed');
}

/** @returns whom a reset's token is for; nobody with a wrong one, which is refused afterwards */
async function ownerOfReset({ body, query, context }: GenericEndpointContext) {
  const token = body?.token || query?.token;
  if (typeof token !== 'string') return {};
  const { internalAdapter } = context;
  const reset = await internalAdapter.findVerificationValue(`reset-password:${token}`);
  return (reset && (await internalAdapter.findUserById(reset.value))) ?? {};
}

function refusal(code: string, message: string): APIError {
  return new APIError('BAD_REQUEST', { code, message });
}
