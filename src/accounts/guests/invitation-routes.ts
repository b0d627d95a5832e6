// GET /api/v1/invitations/:code: whether a link leads anywhere now, for somebody who has no session yet. [contract 22]
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { countForAddress } from '../../http/count-or-refuse.ts';
import { problems } from '../../http/problems/problem-schema.ts';
import type { AdmissionDeps } from './admit-by-code.ts';
import { findInvitation } from './invitations.ts';
import { invitationsKey } from './keys.ts';
import { requireFound } from './require-found.ts';
import { Invitation, InvitationParams } from './schema.ts';

/** The requests of one address in a window, whether their codes are right or wrong. */
const INVITATIONS_PER_ADDRESS = 2000;

/** Registers the route. */
export function registerInvitationRoutes(scope: FastifyInstance, deps: AdmissionDeps): void {
  const { redis, config } = deps;
  const { windowMs } = config.rateLimits;
  scope
    .withTypeProvider<ZodTypeProvider>()
    .get(
      '/api/v1/invitations/:code',
      {
        schema: {
          tags: ['Guests'],
          summary: 'Ask whether a code can be entered',
          description:
            'Says what a link leads to, before its visitor chooses a name. It tells nothing else of the lobby, the assignment or the list. After too many wrong codes of a client address, every further one gets 429 for a while, right or wrong.',
          security: [],
          params: InvitationParams,
          response: { 200: Invitation, ...problems('LOBBY_NOT_FOUND') },
        },
      },
      async ({ clientAddress, params }) => {
        // The count of all requests is atomic, so that it also bounds how many concurrent ones pass the check of misses.
        await countForAddress(redis, clientAddress, {
          keyOf: invitationsKey,
          max: INVITATIONS_PER_ADDRESS,
          windowMs,
          limiter: 'invitation',
          what: 'invitations from your network',
        });
        return requireFound(deps, findInvitation, { code: params.code, address: clientAddress });
      },
    );
}
