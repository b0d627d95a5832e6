// `POST /api/v1/lobbies/:code/join` makes the user a member of a lobby. [contract 4, 17]
import { randomInt } from 'node:crypto';
import { AppError } from '../errors.ts';
import { friendlyName } from '../names/friendly-name.ts';
import { isUniqueViolation } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { type LobbyServices, putRoster } from './event-log.ts';
import type { CodeSender, FindServices } from './find-lobby.ts';
import { takeName } from './names.ts';
import { isMember, parseCode, viewsOf } from './rules.ts';
import type { Lobby } from './schema.ts';
import { addPlayer, membershipOf } from './store.ts';

/** The first attempt may find that the user needs a name. One that a concurrent change refuses is tried again. */
const ATTEMPTS = 4;

/**
 * Adds the user unless the user is a member already, and announces it.
 * @param acceptLanguage the header of the request, for the language of a friendly name
 * @throws AppError LOBBY_NOT_FOUND, KICKED, LOBBY_NOT_WAITING, LOBBY_LOCKED, LOBBY_FULL; UNAVAILABLE if the lobby was
 *   changing at each attempt; RATE_LIMITED for a user who is no member and has sent too many wrong codes, even if this
 *   one is right
 */
export async function joinLobby(
  deps: LobbyServices & FindServices,
  code: string,
  sender: CodeSender,
  acceptLanguage?: string,
): Promise<Lobby> {
  const { userId } = sender;
  const parsed = parseCode(code);
  if (!parsed) return refuseMiss(deps, sender);
  await deps.codeMisses.check(sender).catch(async (error: unknown) => {
    if ((await membershipOf(deps.postgres, { code: parsed, userId })) !== 'member') throw error;
  });
  for (let attempt = 1; ; attempt++) {
    const reply = await addPlayer(deps.postgres, parsed, userId).catch((error: unknown) => {
      // A concurrent request of the same user has joined.
      if (attempt < ATTEMPTS && isUniqueViolation(error)) return 'again' as const;
      throw error;
    });
    if (reply === 'again') continue;
    if (!reply) return refuseMiss(deps, sender);
    if (reply.isKicked) throw new AppError('KICKED');
    const { stored, added, refusal } = reply;
    const { roster } = stored;
    if (isMember(roster, userId) && (added || refusal !== 'LOBBY_NOT_WAITING')) {
      return viewsOf(roster, await putRoster(deps, stored, 'soon'))(userId);
    }
    const { players, capacity, settings } = roster;
    if (refusal === 'LOBBY_FULL')
      throw new AppError(refusal, `The lobby is full (${players.length} of ${capacity} players).`);
    if (refusal) throw new AppError(refusal);
    // The lobby was changing at each attempt, so that the join may succeed a moment later.
    if (attempt === ATTEMPTS) throw new AppError('UNAVAILABLE');
    if (settings.names !== 'any') {
      const newcomer = { userId, friendlyName: () => friendlyName(acceptLanguage, randomInt) };
      await takeName(deps.db, roster.lobbyId, newcomer, settings.names);
    }
  }
}

async function refuseMiss({ codeMisses }: Pick<Services, 'codeMisses'>, sender: CodeSender): Promise<never> {
  await codeMisses.count(sender);
  throw new AppError('LOBBY_NOT_FOUND');
}
