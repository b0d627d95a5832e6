// The handlers of guests, of invitations, and of one's own account. [contract 11, 22, 25]
import { createAuditLog } from '../auth/audit.ts';
import { failOnOutage } from '../auth/store-failures.ts';
import { countedNetworks } from '../http/client-address.ts';
import { type Route, route, takeCount } from '../http/operation.ts';
import { streamed } from '../http/replies.ts';
import { countAllOrRefuse, perNetwork } from '../platform/redis/limits.ts';
import type { Services } from '../services.ts';
import { exportAccount } from './export/export-account.ts';
import { admit, createGuest, findInvitation, nameForGuest, requireFound } from './guests.ts';
import { operations } from './operations.ts';
import { readAccount } from './read-account.ts';
import { signOutEverywhere } from './store.ts';

/** The requests of one address in a window, whether their codes are right or wrong. */
const INVITATIONS_PER_ADDRESS = 2000;
/** The name under which browsers store the export. */
const FILE_NAME = 'vocabulary-quiz-account.json';

export function guestRoutes(services: Services): Route[] {
  return [
    route(operations.createGuest, async (request, reply) => {
      const { body, clientAddress: address, headers } = request;
      const { admission, isInvited } = await admit(services, { code: body.code, address }, takeCount(request));
      const given = body.name ?? (await nameForGuest(services, admission, headers['accept-language']));
      const { user, cookies } = await failOnOutage(() => createGuest(services, request, { name: given, isInvited }));
      return reply.header('set-cookie', cookies).send({ user });
    }),
  ];
}

export function accountRoutes(services: Services): Route[] {
  const { redis, config, db, logger } = services;
  const { windowMs } = config.rateLimits;
  const audit = createAuditLog(logger, config.auth.secret);
  return [
    route(operations.getAccount, ({ user, headers }) => readAccount(db, user, headers['accept-language'])),
    route(operations.updateAccount, async ({ user, body, headers }) => {
      await db.user.updateMany({ where: { id: user.id }, data: body });
      return readAccount(db, user, headers['accept-language']);
    }),
    route(operations.deleteSession, async ({ user, params }) => {
      const ended = await signOutEverywhere(services, user.id, params.sessionId);
      if (ended > 0) audit('sign-out', 'done', { userId: user.id });
    }),
    route(operations.getInvitation, async ({ clientAddress, params }) => {
      // The count of all requests is atomic, so that it also bounds how many concurrent ones pass the check of misses.
      const allowed = { name: 'invitation', max: INVITATIONS_PER_ADDRESS, windowMs } as const;
      const ofNetworks = { ...allowed, what: 'invitations from your network' };
      await countAllOrRefuse(redis, perNetwork(countedNetworks(clientAddress), ofNetworks));
      return requireFound(services, () => findInvitation(db, params.code), clientAddress);
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
