// The handlers of assignments. [contract 21]
import type { FastifyRequest } from 'fastify';
import { type Route, route } from '../http/operation.ts';
import { streamed } from '../http/replies.ts';
import { senderOf } from '../lobby/find-lobby.ts';
import { CSV_TYPE, isCsvPreferred } from '../platform/csv.ts';
import { createConcurrencyLimit } from '../platform/overload/concurrency-limit.ts';
import type { Services } from '../services.ts';
import { createAssignment } from './create-assignment.ts';
import * as manage from './manage-assignments.ts';
import { operations } from './operations.ts';
import { createQuestionResults, readResults, tableOf } from './read-results.ts';
import type { SomePeople } from './store.ts';
import { startAttempt } from './take-attempt.ts';

/** The number of results that are read at a time, of all owners and of one; others wait. Each may be many statements. */
const RESULTS_AT_ONCE = { max: 2, maxPerKey: 1 };

/**
 * The number of creations and changes that run at a time, of all owners and of one, and that of starts, of all
 * assignments and of one; others wait. Those of one wait for the same row's lock, each with a connection of the pool,
 * and must leave connections to other requests.
 */
const WRITES_AT_ONCE = { max: 4, maxPerKey: 1 };

export function assignmentRoutes(services: Services): Route[] {
  const startDeps = { ...services, inStartTurn: createConcurrencyLimit(WRITES_AT_ONCE) };
  const inWriteTurn = createConcurrencyLimit(WRITES_AT_ONCE);
  const inResultsTurn = createConcurrencyLimit(RESULTS_AT_ONCE);
  const resultsDeps = { ...services, readQuestionResults: createQuestionResults(services) };

  const remove = (request: FastifyRequest, code: string, people: SomePeople) =>
    inWriteTurn(request.user.id, () => manage.removePeople(services, code, senderOf(request), people));

  return [
    route(operations.createAssignment, ({ user, body }) =>
      inWriteTurn(user.id, () => createAssignment(services, user.id, body)),
    ),
    route(operations.getAssignments, ({ user, query }) => manage.listAssignments(services.db, user.id, query)),
    route(operations.getBegunAssignments, ({ user, query }) => manage.listBegun(services.db, user.id, query)),
    route(
      operations.getAssignment,
      async (request) => (await manage.findAssignment(services, request.params.code, senderOf(request))).view,
    ),
    route(operations.updateAssignment, (request) =>
      inWriteTurn(request.user.id, () =>
        manage.changeAssignment(services, request.params.code, senderOf(request), request.body),
      ),
    ),
    route(operations.deleteAssignment, async (request) => {
      const { view } = await manage.findOwnAssignment(services, request.params.code, senderOf(request));
      await manage.deleteAssignment(services.db, view.assignmentId);
    }),
    route(operations.startAssignment, async (request, reply) => {
      const { session, isNew } = await startAttempt(startDeps, request.params.code, senderOf(request));
      return reply.status(isNew ? 201 : 200).send(session);
    }),
    route(operations.deletePerson, (request) =>
      remove(request, request.params.code, { userId: request.params.userId }),
    ),
    route(operations.deleteGuests, (request) => remove(request, request.params.code, { isGuest: true })),
    route(operations.getAssignmentResults, async (request, reply) => {
      const { code } = request.params;
      const sender = senderOf(request);
      if (isCsvPreferred(request.headers))
        return reply
          .type(CSV_TYPE)
          .header('content-disposition', 'attachment; filename="homework.csv"')
          .send(await streamed(request, tableOf(services, code, sender)));
      return inResultsTurn(sender.userId, () => readResults(resultsDeps, code, sender, request.query));
    }),
  ];
}
