// Describes the paths of the second factor for the published API description.
import { done, object, ok, oldPassword, post, string, USER } from './auth-path-parts.ts';

const factor = { ...string, description: 'The current code.', examples: ['492039'] };

/** OpenAPI path items. */
export const TWO_FACTOR_PATHS = {
  '/api/auth/two-factor/enable': post(
    'Set up a second factor',
    'Returns the secret for an authenticator app, and backup codes in case the app is lost. The second factor is active after the first correct code.',
    object({ password: oldPassword }, ['password']),
    ok(object({ method: { const: 'totp' }, totpURI: string, backupCodes: { type: 'array', items: string } })),
    [401, 409],
  ),
  '/api/auth/two-factor/verify-totp': post(
    'Verify a code of the second factor',
    'Completes a sign-in that asks for a code, or the setup. After ten wrong codes all codes are refused for 15 minutes.',
    object({ code: factor, trustDevice: { type: 'boolean' } }, ['code']),
    ok(object({ token: string, user: { $ref: USER } })),
    [401],
  ),
  '/api/auth/two-factor/verify-backup-code': post(
    'Verify a backup code instead',
    'Each backup code works once.',
    object({ code: factor, trustDevice: { type: 'boolean' } }, ['code']),
    ok(object({ token: string, user: { $ref: USER } })),
    [401],
  ),
  '/api/auth/two-factor/generate-backup-codes': post(
    'Create new backup codes',
    'The old ones no longer work.',
    object({ password: oldPassword }, ['password']),
    ok(object({ status: { type: 'boolean' }, backupCodes: { type: 'array', items: string } })),
    [401],
  ),
  '/api/auth/two-factor/disable': post(
    'Remove the second factor',
    undefined,
    object({ password: oldPassword }, ['password']),
    ok(done),
    [401],
  ),
};
