// Guests, who are better-auth's anonymous users with a session, and the codes that invite them: a guest with a code
// belongs to a class, and is counted for the lobby or the assignment before the address, which a school may share.
// [contract 11, 17, 22]
import type { FastifyRequest } from 'fastify';
import { CODE_LENGTH, refusalOf } from '../assignments/rules.ts';
import { findByCode } from '../assignments/store.ts';
import { GUEST_NAME_HEADER } from '../auth/guests.ts';
import { CLIENT_ADDRESS_HEADER } from '../auth/plugins/auth-hooks.ts';
import { BUDGETS } from '../budgets.ts';
import { AppError } from '../errors.ts';
import { countedNetworks } from '../http/client-address.ts';
import { takenNames } from '../lobby/names.ts';
import { parseCode } from '../lobby/rules.ts';
import { findEntrance as findLobby } from '../lobby/store.ts';
import { friendlyName } from '../names/friendly-name.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { type Allowance, count, countOrRefuse, perNetwork } from '../platform/redis/limits.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import type { Services } from '../services.ts';
import { ListParams } from '../vocabulary/lists/schema.ts';
import { isShared } from '../vocabulary/lists/store.ts';
import type { Guest, Invitation } from './schema.ts';

/**
 * Counts a guest for what has the code, beyond whose places an address's guests are like those without a code.
 * @param countForNetwork counts a guest, or a wrong code, for the address as a guest without a code
 * @throws AppError LOBBY_NOT_FOUND for a code that invites nobody now; RATE_LIMITED
 */
export async function admit(
  deps: Pick<Services, 'codeMisses' | 'config' | 'db' | 'redis'>,
  { code, address }: { code: string | undefined; address: string },
  countForNetwork: () => Promise<unknown>,
): Promise<{ admission?: Admission; isInvited: boolean }> {
  if (code === undefined) {
    await countForNetwork();
    return { isInvited: false };
  }
  const { redis, config, db } = deps;
  const { windowMs } = config.rateLimits;
  const findAdmission = async () => {
    const found = await findCoded(db, code);
    return found?.invitation.refusal ? null : found;
  };
  const admission = await requireFound(deps, findAdmission, address, countForNetwork);
  const networks = countedNetworks(address);
  const invited = networks.map(({ key, times }) => ({ key: `${admission.id}:${key}`, times }));
  const ofCode = { name: 'invited', max: admission.guestsMax, windowMs } as const;
  const isInvited = await isWithin(redis, perNetwork(invited, ofCode));
  const what = 'guests from your network';
  const ofAddress = { name: 'invited_address', max: BUDGETS.guestsByCode.max, windowMs, what } as const;
  if (isInvited) await countOrRefuse(redis, perNetwork(networks, ofAddress));
  else await countForNetwork();
  return { admission, isInvited };
}

/** Counts in the narrowest network first; one that is beyond its limit leaves the wider ones uncounted. */
async function isWithin(redis: RedisClient, allowances: Allowance[]): Promise<boolean> {
  for (const allowance of allowances) if ((await count(redis, allowance)).current > allowance.max) return false;
  return true;
}

/** @returns what has the code, how many guests it invites from an address in a window, and what everybody may know */
async function findCoded(db: Database, text: string) {
  const lobbyCode = parseCode(text);
  const lobby = lobbyCode && (await findLobby(db, lobbyCode));
  if (lobby) {
    const { lobbyId, capacity, names, refusal } = lobby;
    const invitation: Invitation = { kind: 'lobby', names, ...(refusal && { refusal }) };
    return { id: lobbyId, guestsMax: BUDGETS.guestsOfPlace.max * capacity, invitation };
  }
  const code = parseCode(text, CODE_LENGTH);
  const assignment = code && (await findByCode(db, code, null));
  if (!assignment) return null;
  const { assignmentId: id, title, ownerName, opensAt, closesAt } = assignment.view;
  const refusal = refusalOf(assignment.state);
  const told = { title, ownerName, opensAt, closesAt, ...(refusal && { refusal }) };
  const invitation: Invitation = { kind: 'assignment', ...told };
  return { id, guestsMax: BUDGETS.guestsOfAssignment.max, invitation };
}

type Admission = NonNullable<Awaited<ReturnType<typeof findCoded>>>;

/**
 * @param code a code as somebody wrote it, or the id of a list, which admits no guests, since everybody may read it
 * @returns what a stranger may know of it; null where it leads nowhere
 */
export async function findInvitation(db: Database, code: string): Promise<Invitation | null> {
  const { data } = ListParams.safeParse({ listId: code });
  if (data) return (await isShared(db, data.listId)) ? { kind: 'list' } : null;
  return (await findCoded(db, code))?.invitation ?? null;
}

/** @throws AppError LOBBY_NOT_FOUND for a code that leads nowhere now; RATE_LIMITED after too many of them */
export async function requireFound<T>(
  { codeMisses }: Pick<Services, 'codeMisses'>,
  find: () => Promise<T | null>,
  address: string,
  countMiss?: () => Promise<unknown>,
): Promise<T> {
  await codeMisses.check({ address });
  const found = await find();
  if (found) return found;
  await codeMisses.count({ address });
  await countMiss?.();
  throw new AppError('LOBBY_NOT_FOUND');
}

/** @param guest.isInvited whether the guest came by a code, and so stores no lists */
export async function createGuest(
  { auth, db }: Pick<Services, 'auth' | 'db'>,
  { clientAddress, headers }: FastifyRequest,
  guest: { name: string; isInvited: boolean },
): Promise<Guest & { cookies: string[] }> {
  // The request's own session cookie is left out, so that a signed-in caller gets a new guest as well.
  const { headers: signedIn, response } = await auth.api.signInAnonymous({
    headers: new Headers({
      [GUEST_NAME_HEADER]: encodeURIComponent(guest.name),
      [CLIENT_ADDRESS_HEADER]: clientAddress,
      'user-agent': headers['user-agent'] ?? '',
    }),
    returnHeaders: true,
  });
  const { id, name } = response.user;
  // Nobody has the session's cookie before the reply, so that the guest has stored nothing yet.
  if (guest.isInvited) await db.user.update({ where: { id }, data: { invited: true } });
  // Every sign-in ends the session that the browser had. [contract 17]
  const { cookie } = headers;
  if (cookie) await auth.api.signOut({ headers: new Headers({ cookie }) });
  return { user: { id, name, isGuest: true }, cookies: signedIn.getSetCookie() };
}

/** How many names are drawn at once. In a lobby of a thousand, all of them are taken once in a billion times. */
const CANDIDATES = 16;

/** @param admission where the guest comes to; the names of a lobby are avoided */
export async function nameForGuest(
  { db, random }: Pick<Services, 'db' | 'random'>,
  admission: Admission | undefined,
  acceptLanguage: string | undefined,
): Promise<string> {
  const draw = () => friendlyName(acceptLanguage, random);
  if (admission?.invitation.kind !== 'lobby') return draw();
  const candidates = Array.from({ length: CANDIDATES }, draw);
  const taken = await takenNames(db, admission.id, candidates);
  return candidates.find((name) => !taken.has(name)) ?? draw();
}
