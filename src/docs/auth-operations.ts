// Describes the operations of authentication for the published API description. All have better-auth's format, also
// those that this service answers itself; better-auth serves them, so that they have no handler. Options and responses
// of passkeys have the JSON formats of WebAuthn (https://www.w3.org/TR/webauthn-3/). [contract 6]
import { z } from 'zod';
import { text, textOrNull } from '../fields.ts';
import type { Operation } from '../http/operation.ts';
import { PAGE_LANGUAGES } from '../names/languages.ts';

/** The statuses of refusals take the place of the service's own codes. */
export type AuthOperation = Omit<Operation, 'refusals'> & { refusals: number[] };

const PREFIX = '/api/auth';

/** Stands first among the refusals of an operation that needs a session, which is 401 without one. */
const SESSION = 'session';

type Described = Partial<Omit<AuthOperation, 'replies' | 'refusals' | 'id' | 'method' | 'path'>>;

function describe(
  method: 'GET' | 'POST',
  path: string,
  summary: string,
  more: Described,
  replies: Operation['replies'],
) {
  const words = path.split(/\W+/).filter(Boolean);
  const [first = '', ...others] =
    method === 'GET' && !/^(get|list|verify)-/.test(path.slice(1)) ? ['get', ...words] : words;
  const id = first + others.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
  const common = { tag: 'Accounts', access: 'anyone' } as const;
  return (...refusals: (number | typeof SESSION)[]): AuthOperation => ({
    ...common,
    ...more,
    ...(refusals[0] === SESSION && { access: 'user' }),
    id,
    method,
    path: PREFIX + path,
    summary,
    replies,
    refusals: refusals.map((one) => (one === SESSION ? 401 : one)),
  });
}

const get = (path: string, summary: string, reply: z.ZodType | Operation['replies'], more: Described = {}) =>
  describe('GET', path, summary, more, reply instanceof z.ZodType ? { 200: reply } : reply);

/** @param fields those of the body, which may have others */
const post = (path: string, summary: string, fields: z.ZodRawShape, reply: z.ZodType, description?: string) =>
  describe('POST', path, summary, { body: z.looseObject(fields), ...(description && { description }) }, { 200: reply });

/** The fields of a reply, any of which may be missing, and which may have more. */
const reply = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.looseObject(shape).partial();

const bounded = (max: number, description: string, example: string) =>
  z
    .string()
    .max(max)
    .meta({ description, examples: [example] });
const when = (description: string) => z.iso.datetime().meta({ description, examples: ['2026-11-21T09:30:00.000Z'] });
const yes = (description: string) => z.boolean().describe(description);

const callbackURL = text('The address to which the browser is redirected afterwards.', '/');
const email = z.email().meta({ description: 'The email address.', examples: ['ada@example.com'] });
const PASSWORD = 'a horse and three batteries';
const password = z
  .string()
  .min(8)
  .max(128)
  .meta({
    description: 'It must not be one of the most common passwords, the address, its part before the @, or the name.',
    examples: [PASSWORD],
  });
/** It may be older than the rules for new ones. */
const oldPassword = bounded(128, 'The current password.', PASSWORD);
const name = text(
  'After NFC and trimming it has 1–50 grapheme clusters and at most 200 code points, at least one of them visible. It contains no control, bidirectional-control or invisible characters, no line breaks, no `://` and no `www.`.',
  'Ada',
);
const image = z
  .string()
  .max(500)
  .nullable()
  .meta({ description: 'An `https:` address without credentials.', examples: [null] });
const PROVIDERS = ['google', 'github', 'oidc'] as const;
const provider = z.enum(PROVIDERS).describe('The provider.');
const SIGNED_OUT = 'Takes effect on every replica at once; open sockets are closed with 4401 within a minute.';
const TOKEN = 'f3kQ0c2J8mVd5sXy';
const linkToken = bounded(2000, 'The token of the link in the email.', TOKEN);
const sessionToken = text('The value for `revoke-session`; it does not sign in by itself.', TOKEN);
const code = text('The current code.', '492039');
const trustDevice = yes('Whether this browser needs no second factor for 30 days.');
const nothing = z.looseObject({});
const done = reply({ status: yes('Whether the operation has succeeded.') });
const success = yes('Whether the operation has succeeded.');
const message = text('A text for people, which may change.', 'Done.');
const id = z.uuid().describe('The id.');

const User = reply({
  id,
  name: text('The name that others see.', 'Ada'),
  email,
  emailVerified: yes('Whether the email address was confirmed.'),
  image: image.describe('The address of a picture, or null.'),
  createdAt: when('The time of creation.'),
  updatedAt: when('The time of the last change.'),
}).meta({ id: 'AuthUser', description: 'The user.' });

const Session = reply({
  id,
  token: sessionToken,
  userId: id.describe('The id of the user.'),
  expiresAt: when('At most 90 days after the sign-in.'),
  createdAt: when('The sign-in.'),
  updatedAt: when('The time of the last change.'),
  ipAddress: textOrNull('The IP address of the sign-in.', '203.0.113.7'),
  userAgent: textOrNull('The browser of the sign-in.', 'Mozilla/5.0'),
}).meta({ id: 'AuthSession', description: 'The session.' });

const Passkey = reply({
  id,
  name: textOrNull('The name of the passkey.', 'Phone'),
  deviceType: z.enum(['singleDevice', 'multiDevice']).describe('Whether it is bound to one device or synchronised.'),
  backedUp: yes('Whether the device reports that the passkey is backed up.'),
  createdAt: when('The time of creation.'),
  aaguid: z.string().nullable().describe('The id of the authenticator’s model.'),
}).meta({ id: 'Passkey', description: 'A passkey of the account.' });

export const AUTH_REFUSAL = { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' };

// The refusals refer to this schema by its name.
z.looseObject({ code: z.string().optional().describe('The stable code.'), message }).meta({
  id: 'AuthError',
  description: "A refusal in better-auth's own format.",
  examples: [AUTH_REFUSAL],
});

const options = nothing.describe(
  'The input of `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.',
);
const response = nothing.describe('The result of `PublicKeyCredential.toJSON()`.');
const token = sessionToken.describe('The token of the session.');
const nullableToken = textOrNull('The token of the session.', null);
const backupCodes = z
  .array(z.string())
  .meta({ description: 'Each replaces a code of the app once.', examples: [['a1b2c-d3e4f']] });
const providerUrl = reply({
  url: text('The address that the browser should open.', 'https://accounts.google.com/…'),
  redirect: yes('Whether the browser should open `url`.'),
});
const answered = reply({
  status: success,
  url: text('The next page, if the request for the email named one.', '/lobby/7KQ2ZD'),
});
const html = (description: string) =>
  z.string().meta({ description, contentMediaType: 'text/html', examples: ['<!doctype html>…'] });
const redirect = (description: string) => z.null().describe(description);
const social = { provider, callbackURL: callbackURL.optional(), errorCallbackURL: callbackURL.optional() };
const tokenQuery = { query: z.object({ token: linkToken }) };

export const AUTH_OPERATIONS: AuthOperation[] = [
  get('/passkey/generate-register-options', 'Begin to add a passkey', options, {
    query: z.object({ name: name.optional() }),
  })(SESSION),
  post(
    '/passkey/verify-registration',
    'Add a passkey',
    { response, name: name.optional() },
    Passkey,
    'It needs a sign-in within the last 15 minutes (`SESSION_EXPIRED`) and an authenticator that verifies its user (`USER_NOT_VERIFIED`). An account has at most 20 passkeys (`TOO_MANY_PASSKEYS`).',
  )(SESSION, 409),
  get('/passkey/generate-authenticate-options', 'Begin to sign in with a passkey', options)(),
  post(
    '/passkey/verify-authentication',
    'Sign in with a passkey',
    { response },
    reply({ session: Session, user: User }),
    'Sets the session cookie. No second factor is needed, since the device has verified its user.',
  )(401),
  get('/passkey/list-user-passkeys', 'List the passkeys of the account', z.array(Passkey))(SESSION),
  post('/passkey/update-passkey', 'Rename a passkey', { id, name }, reply({ passkey: Passkey }))(SESSION, 404),
  post('/passkey/delete-passkey', 'Remove a passkey', { id }, done)(SESSION, 404),
  post(
    '/two-factor/enable',
    'Set up a second factor',
    { password: oldPassword },
    reply({
      method: z.literal('totp'),
      totpURI: text('The secret for an authenticator app, usually shown as a QR code.', 'otpauth://totp/…'),
      backupCodes,
    }),
    'Returns the secret for an authenticator app, and backup codes in case the app is lost. The second factor is active after the first correct code.',
  )(SESSION, 409),
  post(
    '/two-factor/verify-totp',
    'Verify a code of the second factor',
    { code, trustDevice: trustDevice.optional() },
    reply({ token, user: User }),
    'Completes a sign-in that asks for a code, or the setup. After ten wrong codes all codes are refused for 15 minutes.',
  )(401),
  post(
    '/two-factor/verify-backup-code',
    'Verify a backup code instead',
    { code, trustDevice: trustDevice.optional() },
    reply({ token, user: User }),
    'Each backup code works once.',
  )(401),
  post(
    '/two-factor/generate-backup-codes',
    'Create new backup codes',
    { password: oldPassword },
    reply({ status: success, backupCodes }),
    'The old ones no longer work.',
  )(SESSION),
  post('/two-factor/disable', 'Remove the second factor', { password: oldPassword }, done)(SESSION),
  post(
    '/sign-up/email',
    'Create an account',
    {
      name,
      email,
      password,
      image: image.optional(),
      callbackURL: callbackURL.optional(),
      language: z.enum(PAGE_LANGUAGES).optional().describe('The language of the mails; by default the browser’s.'),
    },
    reply({ token: nullableToken, user: User }),
    'Sends an email with a link; the account can sign in after the link was opened. If the address already has an account, the reply is the same, with an invented `id` and times, and the owner gets an email about it. Sets a cookie by which the link recognises the browser of the sign-up. If the installation has switched it off, the reply is 403 `SIGN_UP_DISABLED`.',
  )(422),
  post(
    '/sign-in/email',
    'Sign in with email and password',
    {
      email,
      password: oldPassword,
      callbackURL: callbackURL.optional(),
      rememberMe: yes('With `false` the session ends when the browser is closed.').optional(),
    },
    reply({
      redirect: yes('Whether the browser should open `url`.'),
      token,
      user: User,
      twoFactorRedirect: z
        .literal(true)
        .describe('Sent instead of the other fields if a code of the second factor is still needed.'),
      twoFactorMethods: z.array(z.literal('totp')).describe('The kinds of codes that are accepted.'),
    }),
    'Sets the session cookie, and ends the session whose cookie the request has. The reply is 403 while the address is not confirmed, and 429 after too many failed passwords for this address, from any client.',
  )(401),
  post(
    '/sign-in/social',
    'Sign in with Google, GitHub or the installation’s own provider',
    social,
    providerUrl,
    'Returns the address of the provider, which the browser must open. `oidc` is the installation’s own identity provider, by OpenID Connect; it does not enter an account that exists under the address, unless that is linked. While it can’t be reached, the reply is 503 `PROVIDER_UNAVAILABLE`.',
  )(404),
  post(
    '/link-social',
    'Link a provider to the account',
    social,
    providerUrl,
    'Returns the address of the provider, which the browser must open. The account there must have the same email address.',
  )(SESSION, 404),
  get(
    '/callback/:provider',
    'The address to which a provider redirects the browser',
    { 302: redirect('A redirect to `callbackURL`.') },
    {
      params: z.object({ provider: z.string().describe('The provider: `google`, `github` or `oidc`.') }),
      query: z.object({
        code: z.string().optional().describe('The code that the provider gives.'),
        state: z
          .string()
          .optional()
          .describe('A value that the provider returns, to prove that the sign-in began here.'),
      }),
    },
  )(),
  post('/sign-out', 'Sign out', {}, reply({ success }), 'Takes effect on every replica at once.')(),
  get(
    '/get-session',
    'Get the session and its user',
    reply({ session: Session, user: User }).nullable().describe('null when nobody is signed in.'),
  )(),
  post(
    '/send-verification-email',
    'Send the verification email again',
    { email, callbackURL: callbackURL.optional() },
    done,
    'Sends the email if the address is not confirmed yet; the reply is the same in every case.',
  )(),
  get(
    '/verify-email',
    'Verify an address by the link in the email',
    {
      200: done,
      302: redirect(
        'A redirect to the address that the request for the email has named, or to `callbackURL`, with `error=INVALID_TOKEN` when the link has expired. In another browser than that of the sign-up the link changes nothing: the redirect leads to the page’s `/verify?token=…`, or to the form below if the page is switched off. Both ask for the password.',
      ),
    },
    { query: tokenQuery.query.extend({ callbackURL: callbackURL.optional() }) },
  )(401),
  post(
    '/verify-email/confirm',
    'Verify an address in another browser, by the password of the sign-up',
    { token: linkToken, password: oldPassword },
    answered,
    'The password is that of the sign-up to which the link belongs; a link that was sent again belongs to all sign-ups of the address. A wrong password counts as a failed sign-in for the address. The body is JSON or form-encoded; the reply to a form is HTML.',
  )(401),
  post(
    '/verify-email/choose',
    'Verify an address in another browser, by a new password',
    { token: linkToken, newPassword: password, name: name.optional() },
    answered,
    'Every earlier password and name is removed; without a name the user is called “Player”. The body is JSON or form-encoded; the reply to a form is HTML.',
  )(401),
  get(
    '/verify-email/form',
    'Get a plain form for both, if the page is switched off',
    { 200: html('The form.'), 401: html('The link has expired.') },
    tokenQuery,
  )(),
  post(
    '/request-password-reset',
    'Ask for a password reset',
    { email, redirectTo: callbackURL.optional() },
    reply({ status: success, message }),
    'Sends an email with a link if there is such an account; the reply is the same in every case.',
  )(),
  get(
    '/reset-password/:token',
    'Open the link in the reset email',
    {
      302: redirect(
        'A redirect to the address that the request for the email has named, or to `callbackURL`, or to the page’s `/reset-password`. It has the parameter `token`, or `error=INVALID_TOKEN` when the link has expired.',
      ),
    },
    { params: z.object({ token: linkToken }), query: z.object({ callbackURL: callbackURL.optional() }) },
  )(),
  post(
    '/reset-password',
    'Set a new password',
    { newPassword: password, token: linkToken },
    done,
    'Ends all sessions of the account.',
  )(),
  get('/list-sessions', 'List the signed-in devices', z.array(Session))(SESSION),
  get(
    '/list-accounts',
    'List the ways to sign in to the account',
    z.array(reply({ providerId: z.enum(['credential', ...PROVIDERS]).describe('The way of signing in.') })),
  )(SESSION),
  post('/revoke-session', 'Sign out one device', { token: sessionToken }, done, SIGNED_OUT)(SESSION),
  post('/revoke-other-sessions', 'Sign out all other devices', {}, done, SIGNED_OUT)(SESSION),
  post('/revoke-sessions', 'Sign out all devices, including this one', {}, done, SIGNED_OUT)(SESSION),
  post(
    '/update-user',
    'Change the name or the picture',
    { name: name.optional(), image: image.optional() },
    done,
  )(SESSION),
  post(
    '/change-password',
    'Change the password',
    { currentPassword: oldPassword, newPassword: password },
    reply({ token: nullableToken, user: User }),
    'Ends all other sessions.',
  )(SESSION),
  post(
    '/delete-user',
    'Delete the account',
    { password: oldPassword.optional() },
    reply({ success, message }),
    'Needs the password, or a sign-in within the last 15 minutes (otherwise `SESSION_EXPIRED`). The user leaves every lobby, and all sessions end. Stored results keep the scores, under the name "Deleted player".',
  )(SESSION, 404),
];
