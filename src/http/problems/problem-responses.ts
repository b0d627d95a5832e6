// Describes refusals in the published API description: those that an operation names, and those of all operations
// with its access. [contract 1, 10]
import { AppError, ERROR_CODES, type ErrorCode, sentenceOf, statusOf } from '../../errors.ts';
import type { Operation } from '../operation.ts';
import { problemBody, titleOf } from './problem.ts';
import { PROBLEM_MEDIA_TYPE } from './problem-schema.ts';

/** An OpenAPI response that operations share by its name. */
export interface SharedResponse {
  name: string;
  response: object;
}

/** @returns the refusals of an operation as OpenAPI responses by status; each is named by its codes */
export function problemResponses(operation: Operation): Map<number, SharedResponse> {
  const all = new Set([...(operation.refusals ?? []), ...commonCodes(operation)]);
  const byStatus = [...Map.groupBy(all, statusOf)];
  return new Map(
    byStatus.map(([status, codes]) => [status, { name: codes.join('.'), response: describe(status, codes) }]),
  );
}

function commonCodes({ path, method }: Operation): ErrorCode[] {
  const isGuarded = path.startsWith('/api/v1/');
  const codes: ErrorCode[] = [];
  if (isGuarded && method !== 'GET') codes.push('FORBIDDEN_ORIGIN');
  if (isGuarded) codes.push('UNAUTHENTICATED', 'RATE_LIMITED', 'UNAVAILABLE');
  // Operations refuse unknown fields of a query, whether or not they take one, and requests without a single host.
  codes.push('VALIDATION_FAILED');
  // A body is parsed even where the operation needs none.
  if (method !== 'GET') codes.push('INVALID_JSON', 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  return [...codes, 'INTERNAL_ERROR'];
}

function describe(status: number, codes: ErrorCode[]): object {
  return {
    description: `${titleOf(status)}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    headers: headersOf('x-request-id', ...(REFUSAL_HEADERS[status] ?? [])),
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Problem' }],
          properties: {
            status: { enum: [status], description: 'The HTTP status, repeated in the body.' },
            code: { enum: codes, description: 'Stable and machine-readable.' },
          },
        },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

const REQUEST_ID_EXAMPLE = 'req-5ab9a0c4-4ce6-4dd0-8b0e-9b7d2f0b7a55';
const header = (description: string, example: string | number, schema: object) => ({ description, schema, example });
const string = { type: 'string' };
const path = { type: 'string', format: 'uri-reference' };
const requestId = { type: 'string', maxLength: 64 };
const natural = { type: 'integer', minimum: 0 };
const ID_RULE = 'That of the request if it has a plausible one, otherwise a new one. The logs have it too.';

export const HEADERS = {
  'x-request-id': header(ID_RULE, REQUEST_ID_EXAMPLE, requestId),
  location: header('The path of what was created.', '/api/v1/lobbies/7KQ2ZD', path),
  etag: header('The version, for `If-None-Match`.', 'W/"mDZlB0wVfJk9tQ2x"', string),
  'cache-control': header('How long the reply may be kept.', 'private, max-age=300', string),
  'retry-after': header('Seconds to wait before the same request.', 5, natural),
  'ratelimit-limit': header('Requests per window.', 300, natural),
  'ratelimit-remaining': header('How many are left of it.', 299, natural),
  'ratelimit-reset': header('Seconds until the next window.', 60, natural),
};

export const RATE_LIMIT_HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const;

export const REFUSAL_HEADERS: Record<number, (keyof typeof HEADERS)[]> = {
  429: ['retry-after', ...RATE_LIMIT_HEADERS],
  503: ['retry-after'],
};

/** @returns the `headers` of a response, which refer to the shared ones */
export function headersOf(...names: (keyof typeof HEADERS)[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Example details of refusals that say more than the sentence of their code. */
const EXAMPLE_DETAILS: Partial<Record<ErrorCode, string>> = {
  LOBBY_FULL: 'The lobby is full (8 of 8 players).',
  METHOD_NOT_ALLOWED: 'Use POST here.',
  NOT_ENOUGH_TERMS: 'Only 4 terms match.',
  RATE_LIMITED: 'Too many requests. Try again in 300 seconds.',
};

/** An example of a refusal with each code, for `components.examples`. */
export const PROBLEM_EXAMPLES: Record<string, object> = Object.fromEntries(
  ERROR_CODES.map((code) => [code, { summary: sentenceOf(code), value: example(code) }]),
);

function example(code: ErrorCode): object {
  const errors = code === 'VALIDATION_FAILED' ? [{ path: 'questionCount', message: 'must be at most 50' }] : undefined;
  const details = { errors, limit: null, retryAfterMs: undefined };
  const problem = new AppError(code as 'RATE_LIMITED', EXAMPLE_DETAILS[code] ?? sentenceOf(code), details);
  return problemBody(problem, REQUEST_ID_EXAMPLE, '');
}
