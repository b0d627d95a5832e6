// better-auth's paths in short, for the published API description: its own code, not ours, checks
// and answers them. [contract 6]

const USER = '#/components/schemas/AuthUser';

const string = { type: 'string' };
const callbackURL = { ...string, description: 'Where the browser goes afterwards.' };
const email = { type: 'string', format: 'email' };
const password = { type: 'string', minLength: 8, maxLength: 128 };
const done = object({ status: { type: 'boolean' } });
const redirect = { 302: { description: 'Back to `callbackURL`.' } };

const REFUSALS: Record<number, string> = {
  400: 'The request is not valid.',
  401: 'The credentials or the token are not right.',
  403: 'The address is not verified yet.',
  404: 'This provider is not set up.',
  422: 'The account cannot be created.',
  429: 'Too many requests: `RATE_LIMITED`, with `Retry-After`.',
  500: 'Something went wrong on our side.',
  503: 'A store is away: `UNAVAILABLE`, with `Retry-After`.',
};

/** The schemas that only these paths use. */
export const AUTH_SCHEMAS = {
  AuthError: {
    description: "A refusal in better-auth's own format.",
    ...object({ code: string, message: string }, ['message']),
  },
  AuthUser: object({
    id: { type: 'string', format: 'uuid' },
    name: string,
    email,
    emailVerified: { type: 'boolean' },
    image: { type: ['string', 'null'] },
    createdAt: { type: 'string', format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' },
  }),
};

/** OpenAPI path items. */
export const AUTH_PATHS = {
  '/api/auth/sign-up/email': post(
    'Create an account',
    'Sends an email with a link; the account can sign in once the link was opened. An address that is already taken is answered in the same way.',
    object({ name: string, email, password, callbackURL }, ['name', 'email', 'password']),
    ok(object({ token: { type: ['string', 'null'] }, user: { $ref: USER } })),
    [400, 422, 429],
  ),
  '/api/auth/sign-in/email': post(
    'Sign in with email and password',
    'Sets the session cookie. 403 while the address is not verified.',
    object({ email, password, callbackURL, rememberMe: { type: 'boolean' } }, [
      'email',
      'password',
    ]),
    ok(object({ redirect: { type: 'boolean' }, token: string, user: { $ref: USER } })),
    [400, 401, 403, 429],
  ),
  '/api/auth/sign-in/social': post(
    'Sign in with Google or GitHub',
    'Answers with the address to send the browser to.',
    object({ provider: { enum: ['google', 'github'] }, callbackURL }, ['provider']),
    ok(object({ url: string, redirect: { type: 'boolean' } })),
    [400, 404, 429],
  ),
  '/api/auth/callback/{provider}': get(
    'Where Google and GitHub send the browser back to',
    [path('provider'), query('code'), query('state')],
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
        session: object({ id: string, expiresAt: { type: 'string', format: 'date-time' } }),
        user: { $ref: USER },
      }),
      type: ['object', 'null'],
      description: 'null when nobody is.',
    }),
  ),
  '/api/auth/send-verification-email': post(
    'Send the verification email again',
    undefined,
    object({ email, callbackURL }, ['email']),
    ok(done),
    [400, 429],
  ),
  '/api/auth/verify-email': get(
    'Verify an address; the link in the email',
    [query('token', true), query('callbackURL')],
    { ...ok(done), ...redirect },
    [400, 401, 429],
  ),
  '/api/auth/request-password-reset': post(
    'Ask for a password reset',
    'Sends an email with a link if there is such an account; the answer does not tell.',
    object({ email, redirectTo: callbackURL }, ['email']),
    ok(object({ status: { type: 'boolean' }, message: string })),
    [400, 429],
  ),
  '/api/auth/reset-password/{token}': get(
    'The link in the reset email',
    [path('token'), query('callbackURL', true)],
    redirect,
    [429],
  ),
  '/api/auth/reset-password': post(
    'Set a new password',
    'Ends all sessions of the account.',
    object({ newPassword: password, token: string }, ['newPassword', 'token']),
    ok(done),
    [400, 429],
  ),
};

function object(properties: object, required: string[] = []) {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

function ok(schema: object) {
  return { 200: { description: 'Done.', content: { 'application/json': { schema } } } };
}

function path(name: string) {
  return { name, in: 'path', required: true, schema: string };
}

function query(name: string, required = false) {
  return { name, in: 'query', required, schema: string };
}

function refused(statuses: number[]) {
  const schema = { $ref: '#/components/schemas/AuthError' };
  return Object.fromEntries(
    [...statuses, 500, 503].map((status) => [
      status,
      { description: REFUSALS[status], content: { 'application/json': { schema } } },
    ]),
  );
}

function get(summary: string, parameters: object[], responses: object, refusals: number[] = []) {
  const all = { ...responses, ...refused(refusals) };
  return { get: { tags: ['Accounts'], summary, security: [], parameters, responses: all } };
}

function post(
  summary: string,
  description: string | undefined,
  schema: { required?: string[] },
  responses: object,
  refusals: number[],
) {
  return {
    post: {
      tags: ['Accounts'],
      summary,
      ...(description ? { description } : {}),
      security: [],
      requestBody: {
        required: Boolean(schema.required),
        content: { 'application/json': { schema } },
      },
      responses: { ...responses, ...refused(refusals) },
    },
  };
}
