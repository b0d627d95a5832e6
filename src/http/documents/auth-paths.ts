// better-auth's paths in short, for the published API description: they have its format, whoever of
// us checks and answers them. [contract 6]

import { get, object, ok, path, post, query, string } from './auth-path-parts.ts';
import { PASSKEY_PATHS, PASSKEY_SCHEMAS } from './passkey-paths.ts';

const USER = '#/components/schemas/AuthUser';
const SESSION = '#/components/schemas/AuthSession';

const callbackURL = { ...string, description: 'Where the browser goes afterwards.' };
const email = { type: 'string', format: 'email' };
const oldPassword = { type: 'string', maxLength: 128 };
const password = {
  ...{ type: 'string', minLength: 8, maxLength: 128 },
  description: 'Not among the most common, nor the address, its part before the @, or the name.',
};
const name = {
  ...string,
  description:
    'After NFC and trimming 1–50 grapheme clusters and at most 200 code points, at least one visible; no control, bidirectional-control or invisible characters, no line breaks, no `://`, no `www.`.',
};
const image = {
  ...{ type: ['string', 'null'], maxLength: 500 },
  description: 'An `https:` address without credentials.',
};
const dateTime = { type: 'string', format: 'date-time' };
const factor = { ...string, description: 'As it stands there now.', examples: ['492039'] };
const done = object({ status: { type: 'boolean' } });
const SIGNED_OUT =
  'Takes effect on every replica at once; open sockets are closed with 4401 within a minute.';
const redirect = { 302: { description: 'Back to `callbackURL`.' } };

/** The schemas that only these paths use. */
export const AUTH_SCHEMAS = {
  ...PASSKEY_SCHEMAS,
  AuthError: {
    description: "A refusal in better-auth's own format.",
    ...object({ code: string, message: string }, ['message']),
    examples: [{ code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' }],
  },
  AuthUser: object({
    id: { type: 'string', format: 'uuid' },
    name: string,
    email,
    emailVerified: { type: 'boolean' },
    image: { type: ['string', 'null'] },
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
  AuthSession: object({
    id: { type: 'string', format: 'uuid' },
    token: { ...string, description: 'What `revoke-session` asks for; no way in by itself.' },
    userId: { type: 'string', format: 'uuid' },
    expiresAt: { ...dateTime, description: 'At most 90 days after the sign-in.' },
    createdAt: { ...dateTime, description: 'The sign-in.' },
    updatedAt: dateTime,
    ipAddress: { type: ['string', 'null'] },
    userAgent: { type: ['string', 'null'] },
  }),
};

/** OpenAPI path items. */
export const AUTH_PATHS = {
  ...PASSKEY_PATHS,
  '/api/auth/sign-up/email': post(
    'Create an account',
    'Sends an email with a link; the account can sign in once the link was opened. An address that is already taken is answered in the same way, and its owner gets an email about it; the `id` and the times are made up for the reply. Sets a cookie, by which the link knows the browser that signed up.',
    object({ name, email, password, image, callbackURL }, ['name', 'email', 'password']),
    ok(object({ token: { type: ['string', 'null'] }, user: { $ref: USER } })),
    [422],
  ),
  '/api/auth/sign-in/email': post(
    'Sign in with email and password',
    'Sets the session cookie, and ends the session of the one that comes with the request. 403 while the address is not verified; 429 after too many failed passwords for this address, whoever tried them.',
    object({ email, password: oldPassword, callbackURL, rememberMe: { type: 'boolean' } }, [
      'email',
      'password',
    ]),
    ok(
      object({
        redirect: { type: 'boolean' },
        token: string,
        user: { $ref: USER },
        twoFactorRedirect: {
          const: true,
          description: 'Instead of the rest: a code of the second factor is still needed.',
        },
        twoFactorMethods: { type: 'array', items: { const: 'totp' } },
      }),
    ),
    [401],
  ),
  '/api/auth/sign-in/social': post(
    'Sign in with Google or GitHub',
    'Answers with the address to send the browser to.',
    object({ provider: { enum: ['google', 'github'] }, callbackURL }, ['provider']),
    ok(object({ url: string, redirect: { type: 'boolean' } })),
    [404],
  ),
  '/api/auth/callback/{provider}': get(
    'Where Google and GitHub send the browser back to',
    [path('provider'), query('code', false, 'What the provider gives for it.'), query('state')],
    redirect,
  ),
  '/api/auth/sign-out': post(
    'Sign out',
    'Takes effect on every replica at once.',
    object({}),
    ok(object({ success: { type: 'boolean' } })),
    [],
  ),
  '/api/auth/get-session': get(
    'Who is signed in',
    [],
    ok({
      ...object({
        session: { $ref: SESSION },
        user: { $ref: USER },
      }),
      type: ['object', 'null'],
      description: 'null when nobody is.',
    }),
  ),
  '/api/auth/send-verification-email': post(
    'Send the verification email again',
    'Sends it if the address waits for its confirmation; the answer does not tell.',
    object({ email, callbackURL }, ['email']),
    ok(done),
    [],
  ),
  '/api/auth/verify-email': get(
    'Verify an address; the link in the email',
    [query('token', true), query('callbackURL')],
    {
      ...ok(done),
      302: {
        description:
          'Back to `callbackURL`, with `error=INVALID_TOKEN` when the link has ended. Where several passwords were given for the address, and the browser is not the one whose sign-up the link answers, none of them stays: to `/reset-password?token=…`, whose token `POST /api/auth/reset-password` takes.',
      },
    },
    [401],
  ),
  '/api/auth/request-password-reset': post(
    'Ask for a password reset',
    'Sends an email with a link if there is such an account; the answer does not tell.',
    object({ email, redirectTo: callbackURL }, ['email']),
    ok(object({ status: { type: 'boolean' }, message: string })),
    [],
  ),
  '/api/auth/reset-password/{token}': get(
    'The link in the reset email',
    [path('token'), query('callbackURL', true)],
    redirect,
  ),
  '/api/auth/reset-password': post(
    'Set a new password',
    'Ends all sessions of the account.',
    object({ newPassword: password, token: string }, ['newPassword', 'token']),
    ok(done),
    [],
  ),
  '/api/auth/list-sessions': get(
    'The devices that are signed in',
    [],
    ok({ type: 'array', items: { $ref: SESSION } }),
    [401],
  ),
  '/api/auth/list-accounts': get(
    'The ways to sign in to one’s account',
    [],
    ok({
      type: 'array',
      items: object({ providerId: { enum: ['credential', 'google', 'github'] } }),
    }),
    [401],
  ),
  '/api/auth/revoke-session': post(
    'Sign one device out',
    SIGNED_OUT,
    object({ token: string }, ['token']),
    ok(done),
    [401],
  ),
  '/api/auth/revoke-other-sessions': post(
    'Sign all other devices out',
    SIGNED_OUT,
    object({}),
    ok(done),
    [401],
  ),
  '/api/auth/revoke-sessions': post(
    'Sign all devices out, this one too',
    SIGNED_OUT,
    object({}),
    ok(done),
    [401],
  ),
  '/api/auth/update-user': post(
    'Change name or picture',
    undefined,
    object({ name, image }),
    ok(done),
    [401],
  ),
  '/api/auth/change-password': post(
    'Change the password',
    'Ends all other sessions.',
    object({ currentPassword: oldPassword, newPassword: password }, [
      'currentPassword',
      'newPassword',
    ]),
    ok(object({ token: { type: ['string', 'null'] }, user: { $ref: USER } })),
    [401],
  ),
  '/api/auth/delete-user': post(
    'Delete the account',
    'Confirmed by the password, or by a sign-in within the last 15 minutes (`SESSION_EXPIRED` otherwise). Leaves every lobby, ends all sessions; stored results keep the scores under the name "Deleted player".',
    object({ password: oldPassword }),
    ok(object({ success: { type: 'boolean' }, message: string })),
    [401, 404],
  ),
  '/api/auth/two-factor/enable': post(
    'Set a second factor up',
    'Answers with what an authenticator app needs, and with codes for the day it is lost. In force from the first right code on.',
    object({ password: oldPassword }, ['password']),
    ok(
      object({
        method: { const: 'totp' },
        totpURI: string,
        backupCodes: { type: 'array', items: string },
      }),
    ),
    [401, 409],
  ),
  '/api/auth/two-factor/verify-totp': post(
    'Give a code of the second factor',
    'After a sign-in that asked for it, or to finish setting it up. Ten wrong ones close this way for 15 minutes.',
    object({ code: factor, trustDevice: { type: 'boolean' } }, ['code']),
    ok(object({ token: string, user: { $ref: USER } })),
    [401],
  ),
  '/api/auth/two-factor/verify-backup-code': post(
    'Give a backup code instead; each works once',
    undefined,
    object({ code: factor, trustDevice: { type: 'boolean' } }, ['code']),
    ok(object({ token: string, user: { $ref: USER } })),
    [401],
  ),
  '/api/auth/two-factor/generate-backup-codes': post(
    'Make new backup codes; the old ones work no more',
    undefined,
    object({ password: oldPassword }, ['password']),
    ok(object({ status: { type: 'boolean' }, backupCodes: { type: 'array', items: string } })),
    [401],
  ),
  '/api/auth/two-factor/disable': post(
    'Do without a second factor',
    undefined,
    object({ password: oldPassword }, ['password']),
    ok(done),
    [401],
  ),
};
