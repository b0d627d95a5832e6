// The shape of a refusal, for the published API description, and the way in which a route says which
// refusals it knows. [contract 1]
import { z } from 'zod';
import { ERROR_CODES, type ErrorCode, statusOf } from '../../errors.ts';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

const FieldProblem = z.object({
  path: z
    .string()
    .meta({ description: 'Where in the request, dotted; empty for the request as a whole.' }),
  message: z.string(),
});

/** An RFC 9457 problem with the contract's additions. */
export const Problem = z
  .object({
    type: z.literal('about:blank'),
    title: z.string().meta({ description: 'The phrase of the status.' }),
    status: z.int(),
    code: z.enum(ERROR_CODES).meta({ description: 'Stable and machine-readable.' }),
    detail: z.string().meta({ description: 'For people; may change.' }),
    requestId: z.string().meta({ description: 'As in the x-request-id header and the logs.' }),
    errors: z.array(FieldProblem).optional().meta({ description: 'Present with status 400 only.' }),
  })
  .meta({ id: 'Problem', description: 'Why a request was refused.' });

/** One status of a route's refusals; `codes` is what src/http/openapi.ts reads. */
export interface ProblemResponse {
  codes: ErrorCode[];
  content: { [PROBLEM_MEDIA_TYPE]: { schema: typeof Problem } };
}

/**
 * The refusals that a route knows of, to be spread into its `response` schemas:
 * `response: { 201: GameSession, ...problems('NO_MATCHING_TERMS') }`. What every route of its scope
 * can answer (401, 429, 500 …) is added to the description by itself.
 *
 * @returns entries by status; their type is empty, so that they leave the handler's own reply type alone
 */
export function problems(...codes: ErrorCode[]): Record<never, never> {
  const entries = [...Map.groupBy(codes, statusOf)].map(([status, ofStatus]) => {
    const response: ProblemResponse = {
      codes: ofStatus,
      content: { [PROBLEM_MEDIA_TYPE]: { schema: Problem } },
    };
    return [status, response];
  });
  return Object.fromEntries(entries);
}
