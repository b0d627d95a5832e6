// Lists of one's own over HTTP. [contract 14]
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { problems } from '../../http/problems/problem-schema.ts';
import { createGate } from '../../platform/gate.ts';
import type { Database } from '../../platform/postgres.ts';
import { LIST_BODY_BYTES, MAX_LISTS } from './limits.ts';
import { ListParams, ListRequest, WordList, WordLists, WordListWithTerms } from './schema.ts';
import { deleteList, findLists, findListWithTerms, insertList, replaceList } from './store.ts';

const tags = ['Lists'];

/** Each may be a large statement: a crowd of them gets so many connections of the pool. */
const WRITES_AT_ONCE = 4;
/** Those of one user wait for each other in the database, where a wait is soon an outage. */
const CREATED_AT_ONCE = 1;

/** Registers the routes in a scope that guards and limits them. */
export function registerListRoutes(scope: FastifyInstance, { db }: { db: Database }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const createInTurn = createGate(CREATED_AT_ONCE);
  const replaceInTurn = createGate(WRITES_AT_ONCE);

  app.post(
    '/api/v1/lists',
    {
      bodyLimit: LIST_BODY_BYTES,
      schema: {
        tags,
        summary: 'Bring a list of your own',
        description: `Words to play alone or with others, by the list’s id instead of a deck. At most ${MAX_LISTS} lists.`,
        body: ListRequest,
        response: { 201: WordList, ...problems('TOO_MANY_LISTS') },
      },
    },
    async (request, reply) => {
      const list = await createInTurn(() => insertList(db, request.user.id, request.body));
      if (list === 'too_many')
        throw new AppError('TOO_MANY_LISTS', `You have ${MAX_LISTS} lists already.`);
      if (list === 'no_owner') throw new AppError('UNAUTHENTICATED');
      return reply.status(201).send(list);
    },
  );

  app.put(
    '/api/v1/lists/:listId',
    {
      bodyLimit: LIST_BODY_BYTES,
      schema: {
        tags,
        summary: 'Replace a list',
        description: 'Whole: what is left out is gone; without `shared` it is private.',
        params: ListParams,
        body: ListRequest,
        response: { 200: WordList, ...problems('LIST_NOT_FOUND') },
      },
    },
    async ({ params, user, body }) => {
      const list = await replaceInTurn(() => replaceList(db, params.listId, user.id, body));
      if (!list) throw new AppError('LIST_NOT_FOUND');
      return list;
    },
  );

  app.get(
    '/api/v1/lists',
    { schema: { tags, summary: 'See your lists', response: { 200: WordLists } } },
    async ({ user }) => ({ lists: await findLists(db, user.id) }),
  );

  app.get(
    '/api/v1/lists/:listId',
    {
      schema: {
        tags,
        summary: 'Read a list',
        description: 'Yours, or one that is shared.',
        params: ListParams,
        response: { 200: WordListWithTerms, ...problems('LIST_NOT_FOUND') },
      },
    },
    async ({ params, user }) => {
      const list = await findListWithTerms(db, params.listId, user.id);
      if (!list) throw new AppError('LIST_NOT_FOUND');
      return list;
    },
  );

  app.delete(
    '/api/v1/lists/:listId',
    {
      schema: {
        tags,
        summary: 'Delete a list',
        description: 'Games and quizzes that run go on.',
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
