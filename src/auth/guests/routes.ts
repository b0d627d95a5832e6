// POST /api/v1/guests: creates a guest, who plays with a name only. [contract 11]
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { problems } from '../../http/problems/problem-schema.ts';
import type { Auth } from '../auth.ts';
import { CLIENT_ADDRESS_HEADER } from '../plugins/auth-hooks.ts';
import { failOnOutage } from '../store-failures.ts';
import { GUEST_NAME_HEADER } from './plugins.ts';
import { Guest, GuestRequest } from './schema.ts';

/** Registers the route in a scope with a rate limit. */
export function registerGuestRoutes(scope: FastifyInstance, { auth }: { auth: Auth }): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/api/v1/guests',
    {
      schema: {
        tags: ['Guests'],
        summary: 'Play as a guest',
        description:
          'Makes a user of this name and signs them in. At the first sign-in with an account, what the guest has played becomes the account’s.',
        security: [],
        body: GuestRequest,
        response: { 201: Guest, ...problems() },
      },
    },
    async (request, reply) => {
      const { headers, response } = await failOnOutage(() => signIn(auth, request));
      reply.header('set-cookie', headers.getSetCookie());
      await failOnOutage(() => endReplaced(auth, request));
      const { id, name } = response.user;
      return reply.status(201).send({ user: { id, name, isGuest: true as const } });
    },
  );
}

/** Removes the request's session cookie, so that a signed-in caller gets a new guest as well. */
function signIn(auth: Auth, request: FastifyRequest) {
  const { name } = request.body as GuestRequest;
  return auth.api.signInAnonymous({
    headers: new Headers({
      [GUEST_NAME_HEADER]: encodeURIComponent(name),
      [CLIENT_ADDRESS_HEADER]: request.ip,
      'user-agent': request.headers['user-agent'] ?? '',
    }),
    returnHeaders: true,
  });
}

/** Adds the cookies that every sign-in sets. [contract 17] */
async function endReplaced(auth: Auth, { headers: { cookie } }: FastifyRequest): Promise<void> {
  if (cookie) await auth.api.signOut({ headers: new Headers({ cookie }) });
}
