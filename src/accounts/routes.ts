// The handlers of guests, of invitations, and of the export of an account. [contract 11, 22]
import { failOnOutage } from '../auth/store-failures.ts';
import { countedNetworks } from '../http/client-address.ts';
import { type Route, route, takeCount } from '../http/operation.ts';
import { streamed } from '../http/replies.ts';
import { countAllOrRefuse, perNetwork } from '../platform/redis/limits.ts';
import type { Services } from '../services.ts';
import { exportAccount } from './export/export-account.ts';
import { createGuest, nameForGuest } from './guests/create-guest.ts';
import { admitByCode, findInvitation, requireFound } from './guests/invitations.ts';
import * as operations from './operations.ts';

/** The requests of one address in a window, whether their codes are right or wrong. */
const INVITATIONS_PER_ADDRESS = 2000;

/** The name under which browsers store the export. */
const FILE_NAME = 'vocabulary-quiz-account.json';

export function guestRoutes(services: Services): Route[] {
  return [
    route(operations.createGuest, async (request, reply) => {
      const { code, name } = request.body;
      const count = takeCount(request);
      const invitation =
        code === undefined
          ? await count().then(() => undefined)
          : await admitByCode(services, { code, address: request.clientAddress }, count);
      const language = request.headers['accept-language'];
      const given = name ?? (await nameForGuest(services, invitation?.admission, language));
      const isInvited = invitation?.isInvited ?? false;
      const { user, cookies } = await failOnOutage(() => createGuest(services, request, { name: given, isInvited }));
      return reply.header('set-cookie', cookies).send({ user });
    }),
  ];
}

export function accountRoutes(services: Services): Route[] {
  const { redis, config } = services;
  const { windowMs } = config.rateLimits;
  return [
    route(operations.getInvitation, async ({ clientAddress, params }) => {
      // The count of all requests is atomic, so that it also bounds how many concurrent ones pass the check of misses.
      const allowed = { name: 'invitation', max: INVITATIONS_PER_ADDRESS, windowMs } as const;
      const ofNetworks = { ...allowed, what: 'invitations from your network' };
      await countAllOrRefuse(redis, perNetwork(countedNetworks(clientAddress), ofNetworks));
      return requireFound(services, findInvitation, { code: params.code, address: clientAddress });
    }),
    route(operations.exportAccount, async (request, reply) => {
      const { id, sessionId } = request.user;
      const parts = await streamed(request, exportAccount(services, { id, sessionId }));
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="${FILE_NAME}"`)
        .send(parts);
    }),
  ];
}
