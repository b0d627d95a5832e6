// POST /api/v1/guests: creates a guest, who plays with a name only. [contract 11, 22]
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Auth } from '../../auth/auth.ts';
import { failOnOutage } from '../../auth/store-failures.ts';
import { problems } from '../../http/problems/problem-schema.ts';
import { type AdmissionDeps, admitByCode } from './admit-by-code.ts';
import { createGuest } from './create-guest.ts';
import { nameForGuest } from './name-for-guest.ts';
import { Guest, GuestRequest } from './schema.ts';

export interface GuestRoutesDeps extends AdmissionDeps {
  auth: Auth;
  /** Counts a request for its address. */
  limiter: onRequestAsyncHookHandler;
  random(max: number): number;
}

/** Registers the route in a scope of its own, whose errors it counts. */
export function registerGuestRoutes(scope: FastifyInstance, deps: GuestRoutesDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  /** The admitted requests that count for nothing yet. */
  const uncounted = new WeakSet<FastifyRequest>();
  scope.addHook('onRequest', async (request) => {
    uncounted.add(request);
  });
  // A body that can't be read has no code. Its request counts for the address, whose limit comes first. [contract 10]
  scope.setErrorHandler(async (error, request, reply) => {
    if (uncounted.delete(request)) await deps.limiter.call(scope, request, reply);
    throw error;
  });

  app.post(
    '/api/v1/guests',
    {
      schema: {
        tags: ['Guests'],
        summary: 'Play as a guest',
        description:
          'Makes a user of this name and signs them in. At the first sign-in with an account, what the guest has played becomes the account’s.',
        security: [],
        body: GuestRequest,
        response: { 201: Guest, ...problems('LOBBY_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { code, name } = request.body;
      uncounted.delete(request);
      const count = async () => deps.limiter.call(scope, request, reply);
      const invitation =
        code === undefined
          ? await count().then(() => undefined)
          : await admitByCode(deps, { code, address: request.clientAddress }, count);
      const language = request.headers['accept-language'];
      const given = name ?? (await nameForGuest(deps, invitation?.admission, language));
      const isInvited = invitation?.isInvited ?? false;
      const { user, cookies } = await failOnOutage(() => createGuest(deps, request, { name: given, isInvited }));
      return reply.status(201).header('set-cookie', cookies).send({ user });
    },
  );
}
