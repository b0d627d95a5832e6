// The handlers of guests, of invitations, and of one's own account. [contract 11, 22, 25]
import type { FastifyRequest } from 'fastify';
import { createAuditLog } from '../auth/audit.ts';
import { failOnOutage } from '../auth/store-failures.ts';
import { AppError } from '../errors.ts';
import { countedNetworks } from '../http/client-address.ts';
import { type Route, route, takeCount } from '../http/operation.ts';
import { streamed } from '../http/replies.ts';
import { PAGE_LANGUAGES } from '../names/languages.ts';
import { wantedLanguage } from '../names/wanted-language.ts';
import { countOrRefuse, perNetwork } from '../platform/redis/limits.ts';
import type { Services } from '../services.ts';
import { exportAccount } from './export-account.ts';
import { admit, createGuest, findInvitation, nameForGuest, requireFound } from './guests.ts';
import { operations } from './operations.ts';
import { signOutEverywhere } from './store.ts';

/** The requests of one address in a window, whether their codes are right or wrong. */
const INVITATIONS_PER_ADDRESS = 2000;

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
    // It does not count for the limiter of sign-ins, which a whole school shares.
    route(operations.getAccount, (request) => readAccount(db, request)),
    route(operations.updateAccount, async (request) => {
      await db.user.updateMany({ where: { id: request.user.id }, data: request.body });
      return readAccount(db, request);
    }),
    route(operations.deleteSession, async ({ user, params }) => {
      const ended = await signOutEverywhere(services, user.id, params.sessionId);
      if (ended > 0) audit('sign-out', 'done', { userId: user.id });
    }),
    route(operations.getInvitation, async ({ clientAddress, params }) => {
      // The count of all requests is atomic, so that it also bounds how many concurrent ones pass the check of misses.
      const allowed = { name: 'invitation', max: INVITATIONS_PER_ADDRESS, windowMs } as const;
      const ofNetworks = { ...allowed, what: 'invitations from your network' };
      await countOrRefuse(redis, perNetwork(countedNetworks(clientAddress), ofNetworks));
      return requireFound(services, () => findInvitation(db, params.code), clientAddress);
    }),
    route(operations.exportAccount, async (request, reply) => {
      const parts = await streamed(request, exportAccount(services, request.user));
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="vocabulary-quiz-account.json"')
        .send(parts);
    }),
  ];
}

/** The account page shows 200 sessions and 200 passkeys. */
const NEWEST = { orderBy: { createdAt: 'desc' }, take: 200 } as const;

/** @throws AppError UNAUTHENTICATED for a user who was deleted meanwhile */
async function readAccount(db: Services['db'], { user: { id, sessionId }, headers }: FastifyRequest) {
  const found = await db.user.findUnique({
    where: { id },
    include: {
      sessions: { ...NEWEST, where: { expiresAt: { gt: new Date() } }, omit: { token: true } },
      accounts: { select: { providerId: true } },
      passkeys: { ...NEWEST, select: { id: true, name: true, createdAt: true } },
    },
  });
  if (!found) throw new AppError('UNAUTHENTICATED');
  const { sessions, accounts, passkeys, isAnonymous, language, ...user } = found;
  const isGuest = isAnonymous ?? false;
  const known = PAGE_LANGUAGES.find((tag) => tag === language) ?? wantedLanguage(headers['accept-language']) ?? 'en';
  const shown = sessions.map((session) => ({
    sessionId: session.id,
    current: session.id === sessionId,
    createdAt: session.createdAt.toISOString(),
    updatedAt: session.updatedAt.toISOString(),
    userAgent: session.userAgent || null,
    address: session.ipAddress || null,
  }));
  return {
    user: {
      id,
      name: user.name,
      email: isGuest ? null : user.email,
      emailVerified: user.emailVerified,
      isGuest,
      createdAt: user.createdAt.toISOString(),
      language: known,
    },
    sessions: shown.sort((one, other) => Number(other.current) - Number(one.current)),
    providers: [...new Set(accounts.map(({ providerId }) => providerId))].sort(),
    passkeys: passkeys.map(({ id: passkeyId, name, createdAt }) => ({
      passkeyId,
      name,
      createdAt: (createdAt ?? user.createdAt).toISOString(),
    })),
    secondFactor: user.twoFactorEnabled ?? false,
  };
}
