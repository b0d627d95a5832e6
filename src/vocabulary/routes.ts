// The handlers of decks and of users' lists. [contract 3, 14]
import { setImmediate } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import { holdWhile } from '../http/bodies.ts';
import { jsonFile, type SentFile, sendFile } from '../http/files.ts';
import { type Route, route } from '../http/operation.ts';
import { createConcurrencyLimit } from '../platform/overload/concurrency-limit.ts';
import type { Services } from '../services.ts';
import type { CheckedList } from './lists/check-list.ts';
import type { WordList } from './lists/schema.ts';
import { deleteList, findLists, findListText, insertList, replaceList } from './lists/store.ts';
import { operations } from './operations.ts';
import { DIFFICULTIES, LANGUAGES, PARTS_OF_SPEECH } from './schema.ts';
import type { DeckCount } from './store.ts';

/**
 * The number of concurrent writes, of all users and of one user; others wait. A write may be a large statement, after a
 * check that takes a part of a second, so that no user can keep the list checker from others. Writes of one user lock
 * the same row, and PostgreSQL aborts a statement that waits too long for a lock.
 */
const WRITES_AT_ONCE = { max: 4, maxPerKey: 1 };

const ENUMERATIONS = { languages: LANGUAGES, partsOfSpeech: PARTS_OF_SPEECH, difficulties: DIFFICULTIES };

type RouteServices = Pick<Services, 'db' | 'postgres' | 'listChecker' | 'pools'>;

export function vocabularyRoutes({ db, postgres, listChecker, pools }: RouteServices): Route[] {
  const inTurn = createConcurrencyLimit(WRITES_AT_ONCE);
  const packed = new LRUCache<DeckCount[], SentFile>({
    max: 1,
    memoMethod: (decks) => jsonFile({ ...ENUMERATIONS, decks }),
  });

  async function write(request: FastifyRequest, store: (list: CheckedList) => Promise<WordList | AppError>) {
    const { user, body } = request;
    // A missing body counts as `{}`.
    const bytes = body instanceof Uint8Array ? body : Buffer.from('{}');
    const stored = await holdWhile(request, () => inTurn(user.id, async () => store(await listChecker.check(bytes))));
    if (stored instanceof AppError) throw stored;
    return stored;
  }

  return [
    route(operations.getVocabulary, async (request, reply) =>
      sendFile(request, reply, packed.memo(await pools.decks()), operations.getVocabulary.cacheControl),
    ),
    route(operations.getLists, async ({ user }) => ({ lists: await findLists(postgres, user.id) })),
    route(operations.getList, async ({ params, user }, reply) => {
      const list = await findListText(postgres, params.listId, user.id);
      if (list === null) throw new AppError('LIST_NOT_FOUND');
      // A long list is received in one turn of the event loop and sent in the next, to limit both turns.
      await setImmediate();
      return reply.type('application/json; charset=utf-8').send(list);
    }),
    route(operations.createList, (request) => write(request, (list) => insertList(postgres, request.user.id, list))),
    route(operations.replaceList, (request) =>
      write(request, (list) => replaceList(postgres, request.params.listId, request.user.id, list)),
    ),
    route(operations.deleteList, async ({ params, user }) => {
      if (!(await deleteList(db, params.listId, user.id))) throw new AppError('LIST_NOT_FOUND');
    }),
  ];
}
