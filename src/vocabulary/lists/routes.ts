// The HTTP routes of users' lists. [contract 14]
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { BUDGETS } from '../../budgets.ts';
import { AppError, type UnlimitedCode } from '../../errors.ts';
import { holdWhile } from '../../http/bodies.ts';
import { validatorCompiler } from '../../http/edge/input.ts';
import { problems } from '../../http/problems/problem-schema.ts';
import { createConcurrencyLimit } from '../../platform/overload/concurrency-limit.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { PostgresPool } from '../../platform/postgres/postgres-pool.ts';
import type { ListChecker } from './list-checker.ts';
import { ListParams, ListRequest, WordList, WordLists, WordListWithTerms } from './schema.ts';
import { deleteList, findLists, findListText, insertList, type ListRefusal, replaceList } from './store.ts';

const tags = ['Lists'];

/**
 * The number of concurrent writes, of all users and of one user; others wait. A write may be a large statement, after a
 * check that takes a part of a second, so that no user can keep the list checker from others. Writes of one user lock
 * the same row, and PostgreSQL aborts a statement that waits too long for a lock.
 */
const WRITES_AT_ONCE = { max: 4, maxPerKey: 1 };

const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
const ROOM = `${mebibytes(BUDGETS.listsOfAccount.max)} (a guest’s ${mebibytes(BUDGETS.listsOfGuest.max)})`;

interface ListRoutesDeps {
  db: Database;
  postgres: PostgresPool;
  listChecker: ListChecker;
}

/** Registers the routes in a scope that guards and limits them. */
export function registerListRoutes(scope: FastifyInstance, deps: ListRoutesDeps): void {
  // These routes have a scope of their own, in which the body parser is replaced.
  scope.register(async (bodies) => registerBodies(bodies, deps));
  const { db, postgres } = deps;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/api/v1/lists',
    { schema: { tags, summary: 'See your lists', response: { 200: WordLists } } },
    async ({ user }) => ({ lists: await findLists(db, user.id) }),
  );

  // The type provider has no type for a reply that is serialised already.
  scope.get(
    '/api/v1/lists/:listId',
    {
      schema: {
        tags,
        summary: 'Read a list',
        description: 'You can read your own lists and shared ones.',
        params: ListParams,
        response: { 200: WordListWithTerms, ...problems('LIST_NOT_FOUND') },
      },
    },
    async ({ params, user }, reply) => {
      const list = await findListText(postgres, (params as ListParams).listId, user.id);
      if (list === null) throw new AppError('LIST_NOT_FOUND');
      // A long list is received in one turn of the event loop and sent in the next, to limit both turns.
      await setImmediate();
      return reply.type('application/json; charset=utf-8').send(list);
    },
  );

  app.delete(
    '/api/v1/lists/:listId',
    {
      schema: {
        tags,
        summary: 'Delete a list',
        description: 'Running games and quizzes continue.',
        params: ListParams,
        response: { 204: z.null(), ...problems('LIST_NOT_FOUND') },
      },
    },
    async ({ params, user }, reply) => {
      if (!(await deleteList(db, params.listId, user.id))) throw new AppError('LIST_NOT_FOUND');
      return reply.status(204).send(null);
    },
  );
}

/** Registers the routes whose bodies are lists, which the list checker alone parses. */
function registerBodies(app: FastifyInstance, { postgres, listChecker }: ListRoutesDeps): void {
  const inTurn = createConcurrencyLimit(WRITES_AT_ONCE);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setValidatorCompiler(allButBodies);
  const options = { bodyLimit: BUDGETS.listBody.max };

  app.post(
    '/api/v1/lists',
    {
      ...options,
      schema: {
        tags,
        summary: 'Create a list',
        description: `A quiz or a game can name the list’s id instead of a deck. You can have at most ${BUDGETS.lists.max} lists, with ${ROOM} together.`,
        body: ListRequest,
        response: { 201: WordList, ...problems('ACCOUNT_NEEDED', 'TOO_MANY_LISTS', 'LISTS_TOO_LARGE') },
      },
    },
    async (request, reply) => {
      const { user, body } = request;
      const stored = await holdWhile(request, () =>
        inTurn(user.id, async () => insertList(postgres, user.id, await listChecker.check(bytesOf(body)))),
      );
      return reply.status(201).send(requireStored(stored));
    },
  );

  app.put(
    '/api/v1/lists/:listId',
    {
      ...options,
      schema: {
        tags,
        summary: 'Replace a list',
        description: 'The request replaces the whole list. Without `shared` the list is private.',
        params: ListParams,
        body: ListRequest,
        response: { 200: WordList, ...problems('LIST_NOT_FOUND', 'LISTS_TOO_LARGE') },
      },
    },
    async (request) => {
      const { params, user, body } = request;
      const { listId } = params as ListParams;
      const stored = await holdWhile(request, () =>
        inTurn(user.id, async () => replaceList(postgres, listId, user.id, await listChecker.check(bytesOf(body)))),
      );
      return requireStored(stored);
    },
  );
}

const REFUSALS: Record<ListRefusal, [code: UnlimitedCode, detail?: string]> = {
  no_owner: ['UNAUTHENTICATED'],
  no_account: ['ACCOUNT_NEEDED'],
  not_there: ['LIST_NOT_FOUND'],
  too_many: ['TOO_MANY_LISTS', `You have ${BUDGETS.lists.max} lists already.`],
  too_large: ['LISTS_TOO_LARGE', `All your lists together may have ${ROOM}.`],
};

function requireStored(stored: WordList | ListRefusal): WordList {
  if (typeof stored === 'string') throw new AppError(...REFUSALS[stored]);
  return stored;
}

/** Validates everything but bodies, whose schema the list checker applies; here it only describes them. */
const allButBodies: FastifySchemaCompiler<z.ZodType> = (route) =>
  route.httpPart === 'body' ? () => true : validatorCompiler(route);

const NO_BODY = Buffer.from('{}');

/** @returns the bytes of a body; a missing body counts as `{}` */
function bytesOf(body: unknown): Uint8Array {
  return body instanceof Uint8Array ? body : NO_BODY;
}
