// The schema of a refusal for the published API description, and the helper with which a route names its refusals.
// [contract 1]
import { z } from 'zod';
import { ERROR_CODES, type ErrorCode, statusOf } from '../../errors.ts';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

const FieldProblem = z.object({
  path: z.string().describe('Where in the request, dotted; empty for the request as a whole.'),
  message: z.string().describe('A text for people, which may change.'),
});

/** A problem of RFC 9457 with the additional fields of the contract. */
export const Problem = z
  .object({
    type: z.literal('about:blank'),
    title: z.string().describe('The phrase of the status.'),
    status: z.int().describe('The HTTP status, repeated in the body.'),
    code: z.enum(ERROR_CODES).describe('Stable and machine-readable.'),
    detail: z.string().describe('For people; may change.'),
    requestId: z.string().describe('As in the x-request-id header and the logs.'),
    errors: z.array(FieldProblem).optional().describe('Present with status 400 only.'),
  })
  .meta({ id: 'Problem', description: 'Why a request was refused.' });

/** The refusals of a route with one status; problem-responses.ts reads `codes`. */
export interface ProblemResponse {
  codes: ErrorCode[];
  content: { [PROBLEM_MEDIA_TYPE]: { schema: typeof Problem } };
}

/**
 * Names the refusals of a route in its `response` schemas:
 * `response: { 201: GameSession, ...problems('NO_MATCHING_TERMS') }`. The refusals of all routes of its scope (401,
 * 429, 500 …) are added to the description automatically.
 * @returns entries by status; their type is empty, so that they don't change the type of the handler's reply
 */
export function problems(...codes: ErrorCode[]): Record<never, never> {
  const entries = [...Map.groupBy(codes, statusOf)].map(([status, ofStatus]) => {
    const response: ProblemResponse = { codes: ofStatus, content: { [PROBLEM_MEDIA_TYPE]: { schema: Problem } } };
    return [status, response];
  });
  return Object.fromEntries(entries);
}
