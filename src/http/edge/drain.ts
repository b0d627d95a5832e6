// Makes clients reconnect while a replica is being stopped, so that the load balancer leads them to another replica.
// [contract 10]
import type { FastifyInstance } from 'fastify';

/** Closes each connection after its current response, once `lifecycle.draining` is set. */
export function registerDraining(app: FastifyInstance, lifecycle: { readonly draining: boolean }): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (lifecycle.draining) reply.header('connection', 'close');
    done();
  });
}
