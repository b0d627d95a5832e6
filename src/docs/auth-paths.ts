// Describes the paths of authentication for the published API description. All have better-auth's format,
// also those that this service answers itself. [contract 6]
import { done, get, object, ok, oldPassword, path, post, query, string, USER } from './auth-path-parts.ts';
import { PASSKEY_PATHS, PASSKEY_SCHEMAS } from './passkey-paths.ts';
import { TWO_FACTOR_PATHS } from './two-factor-paths.ts';

const SESSION = '#/components/schemas/AuthSession';

const callbackURL = { ...string, description: 'The address to which the browser is redirected afterwards.' };
const email = { type: 'string', format: 'email' };
const password = {
  type: 'string',
  minLength: 8,
  maxLength: 128,
  description: 'It must not be one of the most common passwords, the address, its part before the @, or the name.',
};
const name = {
  ...string,
  description:
    'After NFC and trimming it has 1–50 grapheme clusters and at most 200 code points, at least one of them visible. It contains no control, bidirectional-control or invisible characters, no line breaks, no `://` and no `www.`.',
};
const image = { type: ['string', 'null'], maxLength: 500, description: 'An `https:` address without credentials.' };
const PROVIDERS = ['google', 'github', 'oidc'];
const provider = { enum: PROVIDERS };
const dateTime = { type: 'string', format: 'date-time' };
const SIGNED_OUT = 'Takes effect on every replica at once; open sockets are closed with 4401 within a minute.';
const linkToken = { ...string, maxLength: 2000, description: 'The token of the link in the email.' };
const answered = object({
  status: { type: 'boolean' },
  url: { ...string, description: 'The next page, if the request for the email named one.' },
});
const html = {
  200: { description: 'The form.', content: { 'text/html': { schema: string } } },
  401: { description: 'The link has expired.', content: { 'text/html': { schema: string } } },
};
const redirect = { 302: { description: 'A redirect to `callbackURL`.' } };

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
    token: { ...string, description: 'The value for `revoke-session`; it does not sign in by itself.' },
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
  ...TWO_FACTOR_PATHS,
  '/api/auth/sign-up/email': post(
    'Create an account',
    'Sends an email with a link; the account can sign in after the link was opened. If the address already has an account, the reply is the same, with an invented `id` and times, and the owner gets an email about it. Sets a cookie by which the link recognises the browser of the sign-up. If the installation has switched it off, the reply is 403 `SIGN_UP_DISABLED`.',
    object({ name, email, password, image, callbackURL }, ['name', 'email', 'password']),
    ok(object({ token: { type: ['string', 'null'] }, user: { $ref: USER } })),
    [422],
  ),
  '/api/auth/sign-in/email': post(
    'Sign in with email and password',
    'Sets the session cookie, and ends the session whose cookie the request has. The reply is 403 while the address is not confirmed, and 429 after too many failed passwords for this address, from any client.',
    object({ email, password: oldPassword, callbackURL, rememberMe: { type: 'boolean' } }, ['email', 'password']),
    ok(
      object({
        redirect: { type: 'boolean' },
        token: string,
        user: { $ref: USER },
        twoFactorRedirect: {
          const: true,
          description: 'Sent instead of the other fields if a code of the second factor is still needed.',
        },
        twoFactorMethods: { type: 'array', items: { const: 'totp' } },
      }),
    ),
    [401],
  ),
  '/api/auth/sign-in/social': post(
    'Sign in with Google, GitHub or the installation’s own provider',
    'Returns the address of the provider, which the browser must open. `oidc` is the installation’s own identity provider, by OpenID Connect; it does not enter an account that exists under the address, unless that is linked. While it can’t be reached, the reply is 503 `PROVIDER_UNAVAILABLE`.',
    object({ provider, callbackURL, errorCallbackURL: callbackURL }, ['provider']),
    ok(object({ url: string, redirect: { type: 'boolean' } })),
    [404],
  ),
  '/api/auth/link-social': post(
    'Link a provider to the account',
    'Returns the address of the provider, which the browser must open. The account there must have the same email address.',
    object({ provider, callbackURL, errorCallbackURL: callbackURL }, ['provider']),
    ok(object({ url: string, redirect: { type: 'boolean' } })),
    [401, 404],
  ),
  '/api/auth/callback/{provider}': get(
    'The address to which a provider redirects the browser',
    [path('provider'), query('code', false, 'The code that the provider gives.'), query('state')],
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
    'Get the session and its user',
    [],
    ok({
      ...object({ session: { $ref: SESSION }, user: { $ref: USER } }),
      type: ['object', 'null'],
      description: 'null when nobody is signed in.',
    }),
  ),
  '/api/auth/send-verification-email': post(
    'Send the verification email again',
    'Sends the email if the address is not confirmed yet; the reply is the same in every case.',
    object({ email, callbackURL }, ['email']),
    ok(done),
    [],
  ),
  '/api/auth/verify-email': get(
    'Verify an address by the link in the email',
    [query('token', true), query('callbackURL')],
    {
      ...ok(done),
      302: {
        description:
          'A redirect to the address that the request for the email has named, or to `callbackURL`, with `error=INVALID_TOKEN` when the link has expired. In another browser than that of the sign-up the link changes nothing: the redirect leads to the page’s `/verify?token=…`, or to the form below if the page is switched off. Both ask for the password.',
      },
    },
    [401],
  ),
  '/api/auth/verify-email/confirm': post(
    'Verify an address in another browser, by the password of the sign-up',
    'The password is that of the sign-up to which the link belongs; a link that was sent again belongs to all sign-ups of the address. A wrong password counts as a failed sign-in for the address. The body is JSON or form-encoded; the reply to a form is HTML.',
    object({ token: linkToken, password: oldPassword }, ['token', 'password']),
    ok(answered),
    [401],
  ),
  '/api/auth/verify-email/choose': post(
    'Verify an address in another browser, by a new password',
    'Every earlier password and name is removed; without a name the user is called “Player”. The body is JSON or form-encoded; the reply to a form is HTML.',
    object({ token: linkToken, newPassword: password, name }, ['token', 'newPassword']),
    ok(answered),
    [401],
  ),
  '/api/auth/verify-email/form': get(
    'Get a plain form for both, if the page is switched off',
    [query('token', true)],
    html,
  ),
  '/api/auth/request-password-reset': post(
    'Ask for a password reset',
    'Sends an email with a link if there is such an account; the reply is the same in every case.',
    object({ email, redirectTo: callbackURL }, ['email']),
    ok(object({ status: { type: 'boolean' }, message: string })),
    [],
  ),
  '/api/auth/reset-password/{token}': get('Open the link in the reset email', [path('token'), query('callbackURL')], {
    302: {
      description:
        'A redirect to the address that the request for the email has named, or to `callbackURL`, or to the page’s `/reset-password`. It has the parameter `token`, or `error=INVALID_TOKEN` when the link has expired.',
    },
  }),
  '/api/auth/reset-password': post(
    'Set a new password',
    'Ends all sessions of the account.',
    object({ newPassword: password, token: string }, ['newPassword', 'token']),
    ok(done),
    [],
  ),
  '/api/auth/list-sessions': get(
    'List the signed-in devices',
    [],
    ok({ type: 'array', items: { $ref: SESSION } }),
    [401],
  ),
  '/api/auth/list-accounts': get(
    'List the ways to sign in to the account',
    [],
    ok({ type: 'array', items: object({ providerId: { enum: ['credential', ...PROVIDERS] } }) }),
    [401],
  ),
  '/api/auth/revoke-session': post(
    'Sign out one device',
    SIGNED_OUT,
    object({ token: string }, ['token']),
    ok(done),
    [401],
  ),
  '/api/auth/revoke-other-sessions': post('Sign out all other devices', SIGNED_OUT, object({}), ok(done), [401]),
  '/api/auth/revoke-sessions': post(
    'Sign out all devices, including this one',
    SIGNED_OUT,
    object({}),
    ok(done),
    [401],
  ),
  '/api/auth/update-user': post('Change the name or the picture', undefined, object({ name, image }), ok(done), [401]),
  '/api/auth/change-password': post(
    'Change the password',
    'Ends all other sessions.',
    object({ currentPassword: oldPassword, newPassword: password }, ['currentPassword', 'newPassword']),
    ok(object({ token: { type: ['string', 'null'] }, user: { $ref: USER } })),
    [401],
  ),
  '/api/auth/delete-user': post(
    'Delete the account',
    'Needs the password, or a sign-in within the last 15 minutes (otherwise `SESSION_EXPIRED`). The user leaves every lobby, and all sessions end. Stored results keep the scores, under the name "Deleted player".',
    object({ password: oldPassword }),
    ok(object({ success: { type: 'boolean' }, message: string })),
    [401, 404],
  ),
};
