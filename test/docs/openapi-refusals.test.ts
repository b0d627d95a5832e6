// The OpenAPI document names the refusals of each operation by status and code. [contract 7]
import { expect, it } from 'vitest';
import { type ErrorCode, statusOf } from '../../src/errors.ts';
import { type Json, useOpenApi } from '../support/openapi.ts';

const { operations } = useOpenApi();

const operationOf = (name: string) =>
  operations.find((one) => one.name === name)?.operation ?? expect.fail(`${name} is not described`);

/** Checks the schemas of an operation's refusals. @returns their codes by status */
function codesOf(name: string): Record<string, ErrorCode[]> {
  const refusals = Object.entries<Json>(operationOf(name).responses).filter(([status]) => status >= '400');
  return Object.fromEntries(
    refusals.map(([status, response]) => {
      const { schema, examples } = response.content['application/problem+json'];
      expect(schema.allOf).toEqual([{ $ref: '#/components/schemas/Problem' }]);
      const codes: ErrorCode[] = schema.properties.code.enum;
      expect(codes.map(statusOf), `${name} ${codes}`).toEqual(codes.map(() => Number(status)));
      expect(Object.keys(examples)).toEqual(codes);
      return [status, [...codes].sort()];
    }),
  );
}
const guarded = {
  400: ['VALIDATION_FAILED'],
  401: ['UNAUTHENTICATED'],
  429: ['RATE_LIMITED'],
  500: ['INTERNAL_ERROR'],
  503: ['UNAVAILABLE'],
};
const withBody = {
  ...guarded,
  403: ['FORBIDDEN_ORIGIN'],
  400: ['INVALID_JSON', 'VALIDATION_FAILED'],
  408: ['REQUEST_TIMEOUT'],
  413: ['PAYLOAD_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
};

it.each([
  [
    'POST /api/v1/game/start',
    { ...withBody, 404: ['LIST_NOT_FOUND'], 422: ['NOT_ENOUGH_DISTRACTORS', 'NOT_ENOUGH_TERMS', 'NO_MATCHING_TERMS'] },
  ],
  [
    'POST /api/v1/game/answer',
    {
      ...withBody,
      403: ['FORBIDDEN_ORIGIN', 'SESSION_FORBIDDEN'],
      404: ['QUESTION_NOT_FOUND', 'SESSION_NOT_FOUND'],
      409: ['ASSIGNMENT_CLOSED', 'QUESTION_ALREADY_ANSWERED'],
    },
  ],
  ['GET /api/v1/vocabulary', guarded],
  ['GET /api/v1/account/export', guarded],
  [
    'POST /api/v1/assignments',
    {
      ...withBody,
      403: ['ACCOUNT_NEEDED', 'FORBIDDEN_ORIGIN'],
      404: ['LIST_NOT_FOUND'],
      409: ['TOO_MANY_ASSIGNMENTS'],
      422: ['NOT_ENOUGH_DISTRACTORS', 'NOT_ENOUGH_TERMS', 'NO_MATCHING_TERMS'],
    },
  ],
  ['PATCH /api/v1/assignments/{code}', { ...withBody, 404: ['ASSIGNMENT_NOT_FOUND'] }],
  [
    'POST /api/v1/assignments/{code}/start',
    {
      ...withBody,
      404: ['ASSIGNMENT_NOT_FOUND'],
      409: ['ASSIGNMENT_CLOSED', 'ASSIGNMENT_FULL', 'ASSIGNMENT_NOT_OPEN', 'NO_ATTEMPTS_LEFT'],
    },
  ],
  ['GET /api/v1/assignments/{code}/results', { ...guarded, 404: ['ASSIGNMENT_NOT_FOUND'] }],
  ['GET /api/v1/lists', guarded],
  [
    'POST /api/v1/lists',
    { ...withBody, 403: ['ACCOUNT_NEEDED', 'FORBIDDEN_ORIGIN'], 409: ['LISTS_TOO_LARGE', 'TOO_MANY_LISTS'] },
  ],
  ['PUT /api/v1/lists/{listId}', { ...withBody, 404: ['LIST_NOT_FOUND'], 409: ['LISTS_TOO_LARGE'] }],
  // The service parses a body that it does not need, too.
  ['DELETE /api/v1/lists/{listId}', { ...withBody, 404: ['LIST_NOT_FOUND'] }],
  ['POST /api/v1/lobbies', { ...withBody, 404: ['LIST_NOT_FOUND'] }],
  [
    'POST /api/v1/lobbies/{code}/join',
    {
      ...withBody,
      403: ['FORBIDDEN_ORIGIN', 'KICKED'],
      404: ['LOBBY_NOT_FOUND'],
      409: ['LOBBY_FULL', 'LOBBY_LOCKED', 'LOBBY_NOT_WAITING'],
    },
  ],
  ['GET /api/v1/lobbies', guarded],
  ['GET /api/v1/lobbies/{code}', { ...guarded, 403: ['NOT_A_MEMBER'], 404: ['LOBBY_NOT_FOUND'] }],
  ['GET /api/v1/games', guarded],
  ['GET /api/v1/progress/calendar', guarded],
  ['GET /api/v1/words', { ...guarded, 404: ['LIST_NOT_FOUND'] }],
  ['PUT /api/v1/words/{wordId}/suspension', { ...withBody, 404: ['WORD_NOT_FOUND'] }],
  ['DELETE /api/v1/words/{wordId}/suspension', { ...withBody, 404: ['WORD_NOT_FOUND'] }],
  ['GET /api/v1/progress', guarded],
  ['GET /api/v1/games/{gameId}', { ...guarded, 404: ['GAME_NOT_FOUND'] }],
] as [string, Record<string, string[]>][])('%s describes exactly the refusals of the contract', (name, codes) => {
  expect(codesOf(name)).toEqual(codes);
});
