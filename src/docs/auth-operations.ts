// Describes the operations of authentication for the published API description; auth-operations.md has their texts. All
// have better-auth's format, also those that this service answers itself; better-auth serves them, so that they have no
// handler. Options and responses of passkeys have the formats of WebAuthn (https://www.w3.org/TR/webauthn-3/). [contract 6]
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { text, textOrNull } from '../fields.ts';
import type { Operation } from '../http/operation.ts';
import { PAGE_LANGUAGES } from '../names/languages.ts';

/** The statuses of refusals take the place of the service's own codes. */
export type AuthOperation = Omit<Operation, 'refusals'> & { refusals: number[] };

const PREFIX = '/api/auth';

/** Stands first among the refusals of an operation that needs a session, which is 401 without one. */
const SESSION = 'session';

/** By method and path the summary of an operation, and its description where it has one. */
const TEXTS = new Map(
  readFileSync(new URL('auth-operations.md', import.meta.url), 'utf8')
    .split('\n## ')
    .map((section) => {
      const [title = '', description] = section.trim().split('\n\n');
      const [at = '', summary = ''] = title.split(': ');
      return [at, { summary, ...(description && { description }) }];
    }),
);

type Fields = Partial<Pick<Operation, 'params' | 'query' | 'body'>>;

function describe(method: 'GET' | 'POST', path: string, fields: Fields, replies: Operation['replies']) {
  const words = path.split(/\W+/).filter(Boolean);
  const [first = '', ...others] =
    method === 'GET' && !/^(get|list|verify)-/.test(path.slice(1)) ? ['get', ...words] : words;
  const id = first + others.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
  const texts = TEXTS.get(`${method} ${path}`);
  if (!texts) throw new Error(`auth-operations.md lacks ${method} ${path}`);
  return (...refusals: (number | typeof SESSION)[]): AuthOperation => ({
    tag: 'Accounts',
    access: refusals[0] === SESSION ? 'user' : 'anyone',
    ...fields,
    ...texts,
    id,
    method,
    path: PREFIX + path,
    replies,
    refusals: refusals.map((one) => (one === SESSION ? 401 : one)),
  });
}

const get = (path: string, reply: z.ZodType | Operation['replies'], fields: Fields = {}) =>
  describe('GET', path, fields, reply instanceof z.ZodType ? { 200: reply } : reply);

/** @param body its fields; it may have others */
const post = (path: string, body: z.ZodRawShape, reply: z.ZodType) =>
  describe('POST', path, { body: z.looseObject(body) }, { 200: reply });

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
  get('/passkey/generate-register-options', options, { query: z.object({ name: name.optional() }) })(SESSION),
  post('/passkey/verify-registration', { response, name: name.optional() }, Passkey)(SESSION, 409),
  get('/passkey/generate-authenticate-options', options)(),
  post('/passkey/verify-authentication', { response }, reply({ session: Session, user: User }))(401),
  get('/passkey/list-user-passkeys', z.array(Passkey))(SESSION),
  post('/passkey/update-passkey', { id, name }, reply({ passkey: Passkey }))(SESSION, 404),
  post('/passkey/delete-passkey', { id }, done)(SESSION, 404),
  post(
    '/two-factor/enable',
    { password: oldPassword },
    reply({
      method: z.literal('totp'),
      totpURI: text('The secret for an authenticator app, usually shown as a QR code.', 'otpauth://totp/…'),
      backupCodes,
    }),
  )(SESSION, 409),
  post('/two-factor/verify-totp', { code, trustDevice: trustDevice.optional() }, reply({ token, user: User }))(401),
  post(
    '/two-factor/verify-backup-code',
    { code, trustDevice: trustDevice.optional() },
    reply({ token, user: User }),
  )(401),
  post(
    '/two-factor/generate-backup-codes',
    { password: oldPassword },
    reply({ status: success, backupCodes }),
  )(SESSION),
  post('/two-factor/disable', { password: oldPassword }, done)(SESSION),
  post(
    '/sign-up/email',
    {
      name,
      email,
      password,
      image: image.optional(),
      callbackURL: callbackURL.optional(),
      language: z.enum(PAGE_LANGUAGES).optional().describe('The language of the mails; by default the browser’s.'),
    },
    reply({ token: nullableToken, user: User }),
  )(422),
  post(
    '/sign-in/email',
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
  )(401),
  post('/sign-in/social', social, providerUrl)(404),
  post('/link-social', social, providerUrl)(SESSION, 404),
  get(
    '/callback/:provider',
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
  post('/sign-out', {}, reply({ success }))(),
  get('/get-session', reply({ session: Session, user: User }).nullable().describe('null when nobody is signed in.'))(),
  post('/send-verification-email', { email, callbackURL: callbackURL.optional() }, done)(),
  get(
    '/verify-email',
    {
      200: done,
      302: redirect(
        'A redirect to the address that the request for the email has named, or to `callbackURL`, with `error=INVALID_TOKEN` when the link has expired. In another browser than that of the sign-up the link changes nothing: the redirect leads to the page’s `/verify?token=…`, or to the form below if the page is switched off. Both ask for the password.',
      ),
    },
    { query: tokenQuery.query.extend({ callbackURL: callbackURL.optional() }) },
  )(401),
  post('/verify-email/confirm', { token: linkToken, password: oldPassword }, answered)(401),
  post('/verify-email/choose', { token: linkToken, newPassword: password, name: name.optional() }, answered)(401),
  get('/verify-email/form', { 200: html('The form.'), 401: html('The link has expired.') }, tokenQuery)(),
  post('/request-password-reset', { email, redirectTo: callbackURL.optional() }, reply({ status: success, message }))(),
  get(
    '/reset-password/:token',
    {
      302: redirect(
        'A redirect to the address that the request for the email has named, or to `callbackURL`, or to the page’s `/reset-password`. It has the parameter `token`, or `error=INVALID_TOKEN` when the link has expired.',
      ),
    },
    { params: z.object({ token: linkToken }), query: z.object({ callbackURL: callbackURL.optional() }) },
  )(),
  post('/reset-password', { newPassword: password, token: linkToken }, done)(),
  get('/list-sessions', z.array(Session))(SESSION),
  get(
    '/list-accounts',
    z.array(reply({ providerId: z.enum(['credential', ...PROVIDERS]).describe('The way of signing in.') })),
  )(SESSION),
  post('/revoke-session', { token: sessionToken }, done)(SESSION),
  post('/revoke-other-sessions', {}, done)(SESSION),
  post('/revoke-sessions', {}, done)(SESSION),
  post('/update-user', { name: name.optional(), image: image.optional() }, done)(SESSION),
  post(
    '/change-password',
    { currentPassword: oldPassword, newPassword: password },
    reply({ token: nullableToken, user: User }),
  )(SESSION),
  post('/delete-user', { password: oldPassword.optional() }, reply({ success, message }))(SESSION, 404),
];
