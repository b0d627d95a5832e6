// One operation reads what the account page shows. It does not count for the limiter of sign-ins, which a whole school
// shares. [contract 25]
import { AppError } from '../errors.ts';
import { PAGE_LANGUAGES } from '../names/languages.ts';
import { wantedLanguage } from '../names/wanted-language.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Account } from './schema.ts';

/** Of sessions and of passkeys, 200 are shown. */
const NEWEST = { orderBy: { createdAt: 'desc' }, take: 200 } as const;

/**
 * @param acceptLanguage of the request, which decides for a user whose language is not known
 * @throws AppError UNAUTHENTICATED for a user who was deleted meanwhile
 */
export async function readAccount(
  db: Database,
  { id, sessionId }: { id: string; sessionId: string },
  acceptLanguage: string | undefined,
): Promise<Account> {
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
  const known = PAGE_LANGUAGES.find((tag) => tag === language) ?? wantedLanguage(acceptLanguage) ?? 'en';
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
