// The operations of assignments. [contract 21]
import { z } from 'zod';
import { BUDGETS } from '../budgets.ts';
import { describeOperations } from '../http/operation.ts';
import { pageLimit, timeCursor } from '../platform/page-cursor.ts';
import { NOT_DRAWN } from '../singleplayer/operations.ts';
import * as schemas from './schema.ts';

const CODE_MISSES =
  'After too many wrong codes every further one gets 429 for a while, right or wrong, apart from assignments that you own or have begun.';

const CSV_EXAMPLE =
  '\uFEFFplayer,userId,attempts,bestCorrect,total,finishedAt,house\r\nMia,3d5a9f52-1c0e-4a53-9a77-0a4e6b1f7c21,1,8,10,2026-11-26T14:06:30.000Z,1\r\n';

/** What the operations on one assignment share. */
const byCode = { params: schemas.CodeParams, refusals: ['ASSIGNMENT_NOT_FOUND'] } as const;

const pageOfAssignments = pageLimit('assignments', { max: 100, byDefault: 20 });

export const operations = describeOperations(
  { tag: 'Homework', access: 'user', limit: 'game', load: 'new' },
  {
    createAssignment: {
      at: 'POST /api/v1/assignments',
      summary: 'Create an assignment',
      description: `Draws the questions, once for everybody. Guests can’t own assignments. An account can have at most ${BUDGETS.assignments.max}.`,
      body: schemas.CreateAssignmentRequest,
      replies: { 201: schemas.Assignment },
      location: '/api/v1/assignments/:code',
      refusals: ['ACCOUNT_NEEDED', 'GAME_NOT_FOUND', 'TOO_MANY_ASSIGNMENTS', ...NOT_DRAWN],
    },

    getAssignments: {
      at: 'GET /api/v1/assignments',
      summary: 'See your assignments',
      description: 'The assignments that you own, the newest first.',
      query: z.strictObject({ limit: pageOfAssignments, before: timeCursor.field }),
      replies: { 200: schemas.Assignments },
    },

    getBegunAssignments: {
      at: 'GET /api/v1/assignments/begun',
      summary: 'See the assignments that you have begun',
      description:
        'Those with an open attempt come first, then the others, each by your last answer, the newest first.',
      query: z.strictObject({ limit: pageOfAssignments, before: schemas.begunCursor.field }),
      replies: { 200: schemas.Assignments },
    },

    getAssignment: {
      at: 'GET /api/v1/assignments/:code',
      summary: 'Read an assignment',
      description: `Everybody who has its code can read it. ${CODE_MISSES}`,
      ...byCode,
      replies: { 200: schemas.Assignment },
    },

    updateAssignment: {
      at: 'PATCH /api/v1/assignments/:code',
      summary: 'Change an assignment',
      description: `Only its owner can. What is left out stays. ${CODE_MISSES}`,
      ...byCode,
      body: schemas.ChangeAssignmentRequest,
      replies: { 200: schemas.Assignment },
    },

    deleteAssignment: {
      at: 'DELETE /api/v1/assignments/:code',
      summary: 'Delete an assignment',
      description: `Only its owner can. All its results are deleted too. ${CODE_MISSES}`,
      ...byCode,
      replies: { 204: z.null() },
    },

    startAssignment: {
      at: 'POST /api/v1/assignments/:code/start',
      summary: 'Start an attempt',
      description: `The answers go to \`POST /api/v1/game/answer\`. An open attempt is given again, with what is answered, on any device. ${CODE_MISSES}`,
      ...byCode,
      body: z.strictObject({}),
      replies: { 200: schemas.AttemptSession, 201: schemas.AttemptSession },
      refusals: [...byCode.refusals, 'ASSIGNMENT_NOT_OPEN', 'ASSIGNMENT_CLOSED', 'NO_ATTEMPTS_LEFT', 'ASSIGNMENT_FULL'],
    },

    deletePerson: {
      at: 'DELETE /api/v1/assignments/:code/people/:userId',
      summary: 'Remove a person from an assignment',
      description: `Only its owner can. The attempts of this person are deleted; whoever starts again begins anew. ${CODE_MISSES}`,
      ...byCode,
      params: schemas.PersonParams,
      replies: { 204: z.null() },
    },

    deleteGuests: {
      at: 'DELETE /api/v1/assignments/:code/people',
      summary: 'Remove all guests from an assignment',
      description: `Only its owner can. The attempts of all guests are deleted. ${CODE_MISSES}`,
      ...byCode,
      query: z.strictObject({ isGuest: z.literal('true').describe('Which people are removed: the guests.') }),
      replies: { 204: z.null() },
    },

    getAssignmentResults: {
      at: 'GET /api/v1/assignments/:code/results',
      summary: 'Read the results of an assignment',
      description: `Only its owner can. With \`Accept: text/csv\` it is a table of all people, one line for each, with a column for each question. ${CODE_MISSES}`,
      ...byCode,
      query: z.strictObject({
        limit: pageLimit('people', { max: 200, byDefault: 100 }),
        after: schemas.personCursor.field,
      }),
      replies: { 200: schemas.AssignmentResults },
      csv: z.string().meta({ examples: [CSV_EXAMPLE] }),
    },
  },
);
