// The parts of which auth-paths.ts, passkey-paths.ts and two-factor-paths.ts compose their descriptions.

export const string = { type: 'string' };

const REFUSALS: Record<number, string> = {
  400: 'The request is not valid. Codes are, among others, `PASSWORD_TOO_COMMON`, `INVALID_NAME` and `INVALID_IMAGE`.',
  401: 'The credentials or the token are wrong.',
  403: 'The address is not confirmed yet, sign-up by email is off, or the request comes from or redirects to a foreign origin.',
  404: 'This provider is not configured, or there is no such token.',
  409: 'The same request was sent twice at once, and this was the later one: `ALREADY_EXISTS`.',
  413: 'The body is larger than 64 KiB.',
  415: 'The body is not JSON.',
  422: 'The account cannot be created.',
  429: 'Too many requests: `RATE_LIMITED`, with `Retry-After`.',
  500: 'An unexpected error has happened.',
  503: 'A store or a provider is unavailable, or the replica is overloaded: `UNAVAILABLE` and others, with `Retry-After`.',
};

/** The refusals that every path may have. */
const ALWAYS = [400, 403, 413, 415, 429, 500, 503];

export function object(properties: object, required: string[] = []) {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

export function ok(schema: object) {
  return { 200: { description: 'Done.', content: { 'application/json': { schema } } } };
}

export function path(name: string) {
  return { name, in: 'path', required: true, schema: string };
}

export function query(name: string, required = false, description?: string) {
  return { name, in: 'query', required, schema: string, ...(description && { description }) };
}

function refused(statuses: number[]) {
  const schema = { $ref: '#/components/schemas/AuthError' };
  return Object.fromEntries(
    [...new Set([...statuses, ...ALWAYS])].map((status) => [
      status,
      { description: REFUSALS[status], content: { 'application/json': { schema } } },
    ]),
  );
}

export function get(summary: string, parameters: object[], responses: object, refusals: number[] = []) {
  const all = { ...responses, ...refused(refusals) };
  return { get: { tags: ['Accounts'], summary, security: [], parameters, responses: all } };
}

export function post(
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
      requestBody: { required: Boolean(schema.required), content: { 'application/json': { schema } } },
      responses: { ...responses, ...refused(refusals) },
    },
  };
}

/** The schema of an account's current password, which may be older than the rules for new ones. */
export const oldPassword = { type: 'string', maxLength: 128 };

export const done = object({ status: { type: 'boolean' } });

/** The reference to the schema of a user. */
export const USER = '#/components/schemas/AuthUser';
