// Limits how many replies are made at once for one user and one client address, so that nobody's large reads take all
// connections to PostgreSQL, or the memory in which replies are made. Others wait for their turn. [contract 17]
import { finished } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BUDGETS } from '../budgets.ts';
import { createConcurrencyLimit } from '../platform/overload/concurrency-limit.ts';
import { countedNetworks } from './client-address.ts';

type Turn = <T>(work: () => Promise<T>) => Promise<T>;

const turns = new WeakMap<FastifyRequest, Turn>();

/** @returns a function that limits GET and HEAD of a scope, whose earlier hooks set `request.user` */
export function createReadLimit(): (scope: FastifyInstance) => void {
  const ofUser = createConcurrencyLimit({ max: Infinity, maxPerKey: BUDGETS.readsOfUser.max });
  const ofAddress = createConcurrencyLimit({ max: Infinity, maxPerKey: BUDGETS.readsOfAddress.max });

  /** A user's reads wait for each other first, so that one user can't use up the turns of the address. */
  function turnOf({ user, clientAddress }: FastifyRequest): Turn {
    const network = countedNetworks(clientAddress)[0]?.key ?? clientAddress;
    return (work) => ofUser(user.id, () => ofAddress(network, work));
  }

  return (scope) => {
    const answers = new WeakMap<FastifyRequest, () => void>();
    scope.addHook('preHandler', (request, reply, done) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return done();
      const turn = turnOf(request);
      turns.set(request, turn);
      turn(async () => {
        // Nobody waits for this reply any more.
        if (reply.raw.destroyed) return;
        const answered = Promise.withResolvers<void>();
        answers.set(request, answered.resolve);
        finished(reply.raw, () => answered.resolve());
        done();
        await answered.promise;
      }).catch(done);
    });
    // From now on the reader decides how long the reply takes.
    scope.addHook('onSend', (request, _reply, _payload, done) => {
      answers.get(request)?.();
      done();
    });
  };
}

/** Does `work` for a reply that has begun, in a turn of its user and address. */
export function inTurn<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  return (turns.get(request) ?? ((now) => now()))(work);
}
