// Describes refusals in the published API description: those that an operation names, and those of all operations
// with its access.
// [contract 1, 10]
import { AppError, ERROR_CODES, type ErrorCode, sentenceOf, statusOf } from '../../errors.ts';
import type { Operation } from '../operation.ts';
import { problemBody, titleOf } from './problem.ts';
import { PROBLEM_MEDIA_TYPE } from './problem-schema.ts';

/** @returns the refusals of an operation as OpenAPI responses by status */
export function problemResponses(operation: Operation): Record<string, object> {
  const codes = new Set([...(operation.refusals ?? []), ...commonCodes(operation)]);
  const byStatus = Map.groupBy(codes, statusOf);
  return Object.fromEntries([...byStatus].map(([status, ofStatus]) => [status, describe(status, ofStatus)]));
}

function commonCodes({ path, method, params, query }: Operation): ErrorCode[] {
  const isGuarded = path.startsWith('/api/v1/');
  return [
    ...(isGuarded && method !== 'GET' ? (['FORBIDDEN_ORIGIN'] as const) : []),
    ...(isGuarded ? (['UNAUTHENTICATED', 'RATE_LIMITED', 'UNAVAILABLE'] as const) : []),
    // Each of these operations refuses unknown fields of a query, whether or not it takes one.
    ...(isGuarded || params || query ? (['VALIDATION_FAILED'] as const) : []),
    // A body is parsed even where the operation needs none.
    ...(method !== 'GET'
      ? (['INVALID_JSON', 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)
      : []),
    'INTERNAL_ERROR',
  ];
}

function describe(status: number, codes: ErrorCode[]): object {
  return {
    description: `${titleOf(status)}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    ...(HEADERS[status] ? { headers: HEADERS[status] } : {}),
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

const schema = { type: 'integer' };
const retryAfter = { 'retry-after': { description: 'Seconds to wait.', schema } };

/** The headers of refusals, by status. */
const HEADERS: Record<number, object> = {
  429: {
    ...retryAfter,
    'ratelimit-limit': { description: 'Requests per window.', schema },
    'ratelimit-remaining': { description: 'How many are left of it.', schema },
    'ratelimit-reset': { description: 'Seconds until the next window.', schema },
  },
  503: retryAfter,
};

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
  return problemBody(problem, 'req-5ab9a0c4-4ce6-4dd0-8b0e-9b7d2f0b7a55', '');
}
