// Describes the operations of authentication for the published API description; auth-operations.md has their texts. All
// have better-auth's format, also those that this service answers itself; better-auth serves them, so that they have no
// handler. Options and responses of passkeys have the formats of WebAuthn (https://www.w3.org/TR/webauthn-3/). [contract 6]
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { exampled, text, textOrNull } from '../fields.ts';
import type { Operation } from '../http/operation.ts';
import { PAGE_LANGUAGES } from '../names/languages.ts';

/** The statuses of refusals take the place of the service's own codes. */
export type AuthOperation = Omit<Operation, 'refusals'> & { refusals: number[] };

/** Stands first among the refusals of an operation that needs a session, which is 401 without one. */
const SESSION = 'session';

type Refusals = (number | typeof SESSION)[];

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

type Fields = Pick<Operation, 'params' | 'query' | 'body' | 'replies'>;

function describe(method: 'GET' | 'POST', path: string, refusals: Refusals, fields: Fields): AuthOperation {
  const words = method === 'GET' && !/^\/(get|list|verify)-/.test(path) ? `/get${path}` : path;
  const texts = TEXTS.get(`${method} ${path}`);
  if (!texts) throw new Error(`auth-operations.md lacks ${method} ${path}`);
  return {
    tag: 'Accounts',
    access: refusals[0] === SESSION ? 'user' : 'anyone',
    ...fields,
    ...texts,
    id: words.slice(1).replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()),
    method,
    path: `/api/auth${path}`,
    refusals: refusals.map((one) => (one === SESSION ? 401 : one)),
  };
}

const get = (path: string, refusals: Refusals, reply: z.ZodType, fields: Pick<Fields, 'query'> = {}) =>
  describe('GET', path, refusals, { ...fields, replies: { 200: reply } });

/** @param body its fields; it may have others */
const post = (path: string, refusals: Refusals, body: z.ZodRawShape, reply: z.ZodType) =>
  describe('POST', path, refusals, { body: z.looseObject(body), replies: { 200: reply } });

/** The fields of a reply, any of which may be missing, and which may have more. */
const reply = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.looseObject(shape).partial();

const yes = (description: string) => z.boolean().describe(description);
const when = (description: string) => exampled(z.iso.datetime(), description, '2026-11-21T09:30:00.000Z');
const html = (description: string) =>
  z.string().meta({ description, contentMediaType: 'text/html', examples: ['<!doctype html>…'] });
const redirect = (description: string) => z.null().describe(description);

const callbackURL = text('The address to which the browser is redirected afterwards.', '/').optional();
const email = exampled(z.email(), 'The email address.', 'ada@example.com');
const PASSWORD = 'a horse and three batteries';
const newPassword = exampled(
  z.string().min(8).max(128),
  'It must not be one of the most common passwords, the address, its part before the @, or the name.',
  PASSWORD,
);
/** It may be older than the rules for new ones. */
const password = exampled(z.string().max(128), 'The current password.', PASSWORD);
const name = text(
  'After NFC and trimming it has 1–50 grapheme clusters and at most 200 code points, at least one of them visible. It contains no control, bidirectional-control or invisible characters, no line breaks, no `://` and no `www.`.',
  'Ada',
);
const optionalName = name.optional();
const image = exampled(z.string().max(500).nullable(), 'An `https:` address without credentials.', null).optional();
const PROVIDERS = ['google', 'github', 'oidc'] as const;
const TOKEN = 'f3kQ0c2J8mVd5sXy';
const linkToken = exampled(z.string().max(2000), 'The token of the link in the email.', TOKEN);
const linkQuery = z.object({ token: linkToken });
const sessionToken = text('The value for `revoke-session`; it does not sign in by itself.', TOKEN);
const token = sessionToken.describe('The token of the session.');
const nullableToken = textOrNull('The token of the session.', null);
const code = text('The current code.', '492039');
const trustDevice = yes('Whether this browser needs no second factor for 30 days.').optional();
const success = yes('Whether the operation has succeeded.');
const message = text('A text for people, which may change.', 'Done.');
const id = z.uuid().describe('The id.');
const options = z
  .looseObject({})
  .describe('The input of `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.');
const response = z.looseObject({}).describe('The result of `PublicKeyCredential.toJSON()`.');
const backupCodes = exampled(z.array(z.string()), 'Each replaces a code of the app once.', ['a1b2c-d3e4f']);
const isRedirect = yes('Whether the browser should open `url`.');
const social = { provider: z.enum(PROVIDERS).describe('The provider.'), callbackURL, errorCallbackURL: callbackURL };

const User = reply({
  id,
  name: text('The name that others see.', 'Ada'),
  email,
  emailVerified: yes('Whether the email address was confirmed.'),
  image: image.unwrap().describe('The address of a picture, or null.'),
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

const done = reply({ status: success });
const signedIn = reply({ token, user: User });
const signedUp = reply({ token: nullableToken, user: User });
const current = reply({ session: Session, user: User });
const credential = z.enum(['credential', ...PROVIDERS]).describe('The way of signing in.');
const totpSetUp = reply({
  method: z.literal('totp'),
  totpURI: text('The secret for an authenticator app, usually shown as a QR code.', 'otpauth://totp/…'),
  backupCodes,
});
const signedInOrAsked = reply({
  redirect: isRedirect,
  token,
  user: User,
  twoFactorRedirect: z
    .literal(true)
    .describe('Sent instead of the other fields if a code of the second factor is still needed.'),
  twoFactorMethods: z.array(z.literal('totp')).describe('The kinds of codes that are accepted.'),
});
const providerUrl = reply({
  url: text('The address that the browser should open.', 'https://accounts.google.com/…'),
  redirect: isRedirect,
});
const answered = reply({
  status: success,
  url: text('The next page, if the request for the email named one.', '/lobby/7KQ2ZD'),
});
const verified = redirect(
  'A redirect to the address that the request for the email has named, or to `callbackURL`, with `error=INVALID_TOKEN` when the link has expired. In another browser than that of the sign-up the link changes nothing: the redirect leads to the page’s `/verify?token=…`, or to the form below if the page is switched off. Both ask for the password.',
);
const mayReset = redirect(
  'A redirect to the address that the request for the email has named, or to `callbackURL`, or to the page’s `/reset-password`. It has the parameter `token`, or `error=INVALID_TOKEN` when the link has expired.',
);
const signUp = {
  name,
  email,
  password: newPassword,
  image,
  callbackURL,
  language: z.enum(PAGE_LANGUAGES).optional().describe('The language of the mails; by default the browser’s.'),
};
const rememberMe = yes('With `false` the session ends when the browser is closed.').optional();

export const AUTH_OPERATIONS: AuthOperation[] = [
  get('/passkey/generate-register-options', [SESSION], options, { query: z.object({ name: optionalName }) }),
  post('/passkey/verify-registration', [SESSION, 409], { response, name: optionalName }, Passkey),
  get('/passkey/generate-authenticate-options', [], options),
  post('/passkey/verify-authentication', [401], { response }, current),
  get('/passkey/list-user-passkeys', [SESSION], z.array(Passkey)),
  post('/passkey/update-passkey', [SESSION, 404], { id, name }, reply({ passkey: Passkey })),
  post('/passkey/delete-passkey', [SESSION, 404], { id }, done),
  post('/two-factor/enable', [SESSION, 409], { password }, totpSetUp),
  post('/two-factor/verify-totp', [401], { code, trustDevice }, signedIn),
  post('/two-factor/verify-backup-code', [401], { code, trustDevice }, signedIn),
  post('/two-factor/generate-backup-codes', [SESSION], { password }, reply({ status: success, backupCodes })),
  post('/two-factor/disable', [SESSION], { password }, done),
  post('/sign-up/email', [422], signUp, signedUp),
  post('/sign-in/email', [401], { email, password, callbackURL, rememberMe }, signedInOrAsked),
  post('/sign-in/social', [404], social, providerUrl),
  post('/link-social', [SESSION, 404], social, providerUrl),
  describe('GET', '/callback/:provider', [], {
    params: z.object({ provider: z.string().describe('The provider: `google`, `github` or `oidc`.') }),
    query: z.object({
      code: z.string().optional().describe('The code that the provider gives.'),
      state: z.string().optional().describe('A value that the provider returns, to prove that the sign-in began here.'),
    }),
    replies: { 302: redirect('A redirect to `callbackURL`.') },
  }),
  post('/sign-out', [], {}, reply({ success })),
  get('/get-session', [], current.nullable().describe('null when nobody is signed in.')),
  post('/send-verification-email', [], { email, callbackURL }, done),
  describe('GET', '/verify-email', [401], {
    query: linkQuery.extend({ callbackURL }),
    replies: { 200: done, 302: verified },
  }),
  post('/verify-email/confirm', [401], { token: linkToken, password }, answered),
  post('/verify-email/choose', [401], { token: linkToken, newPassword, name: optionalName }, answered),
  describe('GET', '/verify-email/form', [], {
    query: linkQuery,
    replies: { 200: html('The form.'), 401: html('The link has expired.') },
  }),
  post('/request-password-reset', [], { email, redirectTo: callbackURL }, reply({ status: success, message })),
  describe('GET', '/reset-password/:token', [], {
    params: linkQuery,
    query: z.object({ callbackURL }),
    replies: { 302: mayReset },
  }),
  post('/reset-password', [], { newPassword, token: linkToken }, done),
  get('/list-sessions', [SESSION], z.array(Session)),
  get('/list-accounts', [SESSION], z.array(reply({ providerId: credential }))),
  post('/revoke-session', [SESSION], { token: sessionToken }, done),
  post('/revoke-other-sessions', [SESSION], {}, done),
  post('/revoke-sessions', [SESSION], {}, done),
  post('/update-user', [SESSION], { name: optionalName, image }, done),
  post('/change-password', [SESSION], { currentPassword: password, newPassword }, signedUp),
  post('/delete-user', [SESSION, 404], { password: password.optional() }, reply({ success, message })),
];
