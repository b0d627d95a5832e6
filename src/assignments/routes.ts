// The HTTP routes of assignments. [contract 21]
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { BUDGETS } from '../budgets.ts';
import { CSV_TYPE, isCsvPreferred } from '../http/csv.ts';
import { problems } from '../http/problems/problem-schema.ts';
import { streamed } from '../http/replies.ts';
import { senderOf } from '../lobby/code-misses.ts';
import { createConcurrencyLimit } from '../platform/overload/concurrency-limit.ts';
import type { DrawDeps } from '../vocabulary/draw-questions.ts';
import { changeAssignment, removeAssignment } from './change-assignment.ts';
import { createAssignment } from './create-assignment.ts';
import { findAssignment } from './find-assignment.ts';
import { Before, listAssignments } from './list-assignments.ts';
import type { SomePeople } from './people-store.ts';
import { createQuestionResults } from './question-results.ts';
import { After, readResults, tableOf } from './read-results.ts';
import { removePeople } from './remove-people.ts';
import { AssignmentResults } from './results-schema.ts';
import {
  Assignment,
  Assignments,
  AttemptSession,
  ChangeAssignmentRequest,
  CodeParams,
  CreateAssignmentRequest,
  PersonParams,
} from './schema.ts';
import { type StartDeps, startAttempt } from './start-attempt.ts';

const tags = ['Homework'];

const CODE_MISSES =
  'After too many wrong codes every further one gets 429 for a while, right or wrong, apart from assignments that you own or have begun.';

const ListQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'The most assignments of the page.' }),
  before: Before.optional().meta({ description: 'The `next` of the previous page.' }),
});

const ResultsQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(100).meta({ description: 'The most people of the page.' }),
  after: After.optional().meta({ description: 'The `next` of the previous page.' }),
});

const PeopleQuery = z.strictObject({
  isGuest: z.literal('true').meta({ description: 'Which people are removed: the guests.' }),
});

/** The number of results that are read at a time, of all owners and of one; others wait. Each may be many statements. */
const RESULTS_AT_ONCE = { max: 2, maxPerKey: 1 };

/**
 * The number of creations and changes that run at a time, of all owners and of one; others wait. Those of one owner
 * wait for the same row's lock, each with a connection of the pool, and must leave connections to other requests.
 */
const WRITES_AT_ONCE = { max: 4, maxPerKey: 1 };

/** The number of starts that run at a time, of all assignments and of one; others wait, since these wait likewise. */
const STARTS_AT_ONCE = { max: 4, maxPerKey: 1 };

/** The published example of the results as CSV. */
const CSV_EXAMPLE =
  '\uFEFFplayer,userId,attempts,bestCorrect,total,finishedAt,house\r\nMia,3d5a9f52-1c0e-4a53-9a77-0a4e6b1f7c21,1,8,10,2026-11-26T14:06:30.000Z,1\r\n';

/** Registers the routes in a scope that guards and limits them. */
export function registerAssignmentRoutes(
  scope: FastifyInstance,
  deps: Omit<StartDeps, 'inStartTurn'> & DrawDeps,
): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const startDeps = { ...deps, inStartTurn: createConcurrencyLimit(STARTS_AT_ONCE) };
  const inWriteTurn = createConcurrencyLimit(WRITES_AT_ONCE);

  app.post(
    '/api/v1/assignments',
    {
      schema: {
        tags,
        summary: 'Create an assignment',
        description: `Draws the questions, once for everybody. Guests can’t own assignments. An account can have at most ${BUDGETS.assignments.max}.`,
        body: CreateAssignmentRequest,
        response: {
          201: Assignment,
          ...problems(
            'ACCOUNT_NEEDED',
            'LIST_NOT_FOUND',
            'TOO_MANY_ASSIGNMENTS',
            'NO_MATCHING_TERMS',
            'NOT_ENOUGH_TERMS',
            'NOT_ENOUGH_DISTRACTORS',
          ),
        },
      },
    },
    async ({ user, body }, reply) => {
      const created = await inWriteTurn(user.id, () => createAssignment(deps, user.id, body));
      return reply.status(201).send(created);
    },
  );

  app.get(
    '/api/v1/assignments',
    {
      schema: {
        tags,
        summary: 'See your assignments',
        description: 'The assignments that you own, the newest first.',
        querystring: ListQuery,
        response: { 200: Assignments },
      },
    },
    async ({ user, query }) => listAssignments(deps.db, user.id, query),
  );

  app.get(
    '/api/v1/assignments/:code',
    {
      schema: {
        tags,
        summary: 'Read an assignment',
        description: `Everybody who has its code can read it. ${CODE_MISSES}`,
        params: CodeParams,
        response: { 200: Assignment, ...problems('ASSIGNMENT_NOT_FOUND') },
      },
    },
    async (request) => (await findAssignment(deps, request.params.code, senderOf(request))).view,
  );

  app.patch(
    '/api/v1/assignments/:code',
    {
      schema: {
        tags,
        summary: 'Change an assignment',
        description: `Only its owner can. What is left out stays. ${CODE_MISSES}`,
        params: CodeParams,
        body: ChangeAssignmentRequest,
        response: { 200: Assignment, ...problems('ASSIGNMENT_NOT_FOUND') },
      },
    },
    async (request) => {
      const { params, body, user } = request;
      const change = () => changeAssignment(deps, params.code, senderOf(request), body);
      return inWriteTurn(user.id, change);
    },
  );

  app.delete(
    '/api/v1/assignments/:code',
    {
      schema: {
        tags,
        summary: 'Delete an assignment',
        description: `Only its owner can. All its results are deleted too. ${CODE_MISSES}`,
        params: CodeParams,
        response: { 204: z.null(), ...problems('ASSIGNMENT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      await removeAssignment(deps, request.params.code, senderOf(request));
      return reply.status(204).send(null);
    },
  );

  app.post(
    '/api/v1/assignments/:code/start',
    {
      schema: {
        tags,
        summary: 'Start an attempt',
        description: `The answers go to \`POST /api/v1/game/answer\`. An open attempt is given again, with what is answered, on any device. ${CODE_MISSES}`,
        params: CodeParams,
        body: z.strictObject({}),
        response: {
          200: AttemptSession,
          201: AttemptSession,
          ...problems(
            'ASSIGNMENT_NOT_FOUND',
            'ASSIGNMENT_NOT_OPEN',
            'ASSIGNMENT_CLOSED',
            'NO_ATTEMPTS_LEFT',
            'ASSIGNMENT_FULL',
          ),
        },
      },
    },
    async (request, reply) => {
      const { session, isNew } = await startAttempt(startDeps, request.params.code, senderOf(request));
      return reply.status(isNew ? 201 : 200).send(session);
    },
  );

  app.delete(
    '/api/v1/assignments/:code/people/:userId',
    {
      schema: {
        tags,
        summary: 'Remove a person from an assignment',
        description: `Only its owner can. The attempts of this person are deleted; whoever starts again begins anew. ${CODE_MISSES}`,
        params: PersonParams,
        response: { 204: z.null(), ...problems('ASSIGNMENT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { code, userId } = request.params;
      await remove(request, code, { userId });
      return reply.status(204).send(null);
    },
  );

  app.delete(
    '/api/v1/assignments/:code/people',
    {
      schema: {
        tags,
        summary: 'Remove all guests from an assignment',
        description: `Only its owner can. The attempts of all guests are deleted. ${CODE_MISSES}`,
        params: CodeParams,
        querystring: PeopleQuery,
        response: { 204: z.null(), ...problems('ASSIGNMENT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      await remove(request, request.params.code, { isGuest: true });
      return reply.status(204).send(null);
    },
  );

  function remove(request: FastifyRequest, code: string, people: SomePeople): Promise<void> {
    const sender = senderOf(request);
    return inWriteTurn(sender.userId, () => removePeople(deps, code, sender, people));
  }

  const inResultsTurn = createConcurrencyLimit(RESULTS_AT_ONCE);
  const resultsDeps = { ...deps, readQuestionResults: createQuestionResults(deps) };
  // The type provider knows replies of the schema's type alone, but the table is a stream.
  scope.get(
    '/api/v1/assignments/:code/results',
    {
      schema: {
        tags,
        summary: 'Read the results of an assignment',
        description: `Only its owner can. With \`Accept: text/csv\` it is a table of all people, one line for each, with a column for each question. ${CODE_MISSES}`,
        params: CodeParams,
        querystring: ResultsQuery,
        response: {
          200: {
            description: 'OK',
            content: {
              'application/json': { schema: AssignmentResults },
              'text/csv': { schema: z.string().meta({ examples: [CSV_EXAMPLE] }) },
            },
          },
          ...problems('ASSIGNMENT_NOT_FOUND'),
        },
      },
    },
    async (request, reply) => {
      const { code } = request.params as z.output<typeof CodeParams>;
      const sender = senderOf(request);
      if (isCsvPreferred(request))
        return reply
          .type(CSV_TYPE)
          .header('content-disposition', 'attachment; filename="homework.csv"')
          .send(await streamed(request, tableOf(deps, code, sender)));
      const page = request.query as z.output<typeof ResultsQuery>;
      return inResultsTurn(sender.userId, () => readResults(resultsDeps, code, sender, page));
    },
  );
}
