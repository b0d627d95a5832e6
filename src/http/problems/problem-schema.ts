// The schema of a refusal for the published API description. [contract 1]
import { z } from 'zod';
import { ERROR_CODES } from '../../errors.ts';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

const FieldProblem = z.object({
  path: z.string().describe('Where in the request, dotted; empty for the request as a whole.'),
  message: z.string().describe('A text for people, which may change.'),
});

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
