// The handlers of lobbies. [contract 4, 19, 22]
import { randomUUID } from 'node:crypto';
import { type Route, route } from '../http/operation.ts';
import { createConcurrencyLimit } from '../platform/overload/concurrency-limit.ts';
import type { Services } from '../services.ts';
import { createLobby, storeCreator } from './create-lobby.ts';
import { findLobbyOf, senderOf } from './find-lobby.ts';
import { joinLobby } from './join-lobby.ts';
import { listLobbies, listPlayers } from './lists.ts';
import { operations } from './operations.ts';
import { connectedUsers } from './presence.ts';
import { parseCode, viewsOf } from './rules.ts';

/**
 * Concurrent joins of all lobbies, and of one; further ones wait. Joins of one lobby wait for its row lock,
 * each with a connection of the pool, and must leave connections to other requests.
 */
const JOINS_AT_ONCE = { max: 6, maxPerKey: 3 };

export function lobbyRoutes(services: Services): Route[] {
  const inTurn = createConcurrencyLimit(JOINS_AT_ONCE);
  return [
    route(operations.createLobby, async (request) => {
      const lobbyId = randomUUID();
      await storeCreator(services, lobbyId, senderOf(request));
      return createLobby(services, request.user.id, request.body, lobbyId);
    }),
    route(operations.joinLobby, (request) => {
      const { code } = request.params;
      const language = request.headers['accept-language'];
      return inTurn(parseCode(code) ?? '', () => joinLobby(services, code, senderOf(request), language));
    }),
    route(operations.getLobby, async (request) => {
      const { roster } = await findLobbyOf(services, request.params.code, senderOf(request));
      return viewsOf(roster, await connectedUsers(services, roster.lobbyId))(request.user.id);
    }),
    route(operations.getLobbies, ({ user }) => listLobbies(services.db, user.id)),
    route(operations.listPlayers, async (request) => {
      const { roster } = await findLobbyOf(services, request.params.code, senderOf(request));
      return listPlayers(services, roster, request.query);
    }),
  ];
}
