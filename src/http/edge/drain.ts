// While a replica is being stopped, clients are asked to come back over a new connection, which the
// load balancer gives to another replica. [contract 10]
import type { FastifyInstance } from 'fastify';

/** Closes each connection after the answer under way, once `lifecycle.draining` is set. */
export function registerDraining(
  app: FastifyInstance,
  lifecycle: { readonly draining: boolean },
): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (lifecycle.draining) reply.header('connection', 'close');
    done();
  });
}
