// The HTTP routes of lobbies. [contract 4]
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { problems } from '../http/problems/problem-schema.ts';
import { createConcurrencyLimit } from '../platform/overload/concurrency-limit.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { type CodeMissDeps, senderOf } from './code-misses.ts';
import { createLobby, storeCreator } from './create-lobby.ts';
import type { LiveDeps } from './event-log.ts';
import { findLobbyOf } from './find-lobby.ts';
import { joinLobby } from './join-lobby.ts';
import { After, listLobbies, listPlayers } from './lists.ts';
import { connectedUsers } from './presence.ts';
import { parseCode, viewsOf, writtenCodeMax } from './rules.ts';
import { CreateLobbyRequest, JoinedLobbies, Lobby, PlayerPage } from './schema.ts';

const CodeParams = z.object({
  code: z
    .string()
    .meta({
      description: 'Six characters. Case, spaces and hyphens are ignored; O is read as 0, I and L as 1.',
      maxLength: writtenCodeMax(),
      examples: ['7KQ2ZD'],
    }),
});

const tags = ['Lobbies'];

/**
 * Concurrent joins of all lobbies, and of one; further ones wait. Joins of one lobby wait for its row lock,
 * each with a connection of the pool, and must leave connections to other requests.
 */
const JOINS_AT_ONCE = { max: 6, maxPerKey: 3 };

const CODE_MISSES =
  'After too many codes that are of no lobby of yours, here or over `/ws`, every further one gets 429 for a while, right or wrong.';

/** Registers the routes in a scope that guards and limits them. */
export function registerLobbyRoutes(
  scope: FastifyInstance,
  deps: LiveDeps & CodeMissDeps & { db: Database; roundDurationMs: number },
): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const inTurn = createConcurrencyLimit(JOINS_AT_ONCE);

  app.post(
    '/api/v1/lobbies',
    {
      schema: {
        tags,
        summary: 'Create a lobby',
        description: 'You are its host and first player.',
        body: CreateLobbyRequest,
        response: { 201: Lobby, ...problems('LIST_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const lobbyId = randomUUID();
      await storeCreator(deps, lobbyId, senderOf(request));
      return reply.status(201).send(await createLobby(deps, request.user.id, request.body, lobbyId));
    },
  );

  app.post(
    '/api/v1/lobbies/:code/join',
    {
      schema: {
        tags,
        summary: 'Join a lobby',
        description: `Joining again changes nothing. Then connect to \`/ws\` and send \`lobby:join\`. ${CODE_MISSES}`,
        params: CodeParams,
        body: z.strictObject({}),
        response: {
          200: Lobby,
          ...problems('LOBBY_NOT_FOUND', 'KICKED', 'LOBBY_NOT_WAITING', 'LOBBY_LOCKED', 'LOBBY_FULL'),
        },
      },
    },
    async (request) => {
      const { code } = request.params;
      const language = request.headers['accept-language'];
      return inTurn(parseCode(code) ?? '', () => joinLobby(deps, code, senderOf(request), language));
    },
  );

  app.get(
    '/api/v1/lobbies/:code',
    {
      schema: {
        tags,
        summary: 'Read a lobby',
        description: `Only members can read it. ${CODE_MISSES}`,
        params: CodeParams,
        response: { 200: Lobby, ...problems('LOBBY_NOT_FOUND', 'NOT_A_MEMBER') },
      },
    },
    async (request) => {
      const { roster } = await findLobbyOf(deps, request.params.code, senderOf(request));
      return viewsOf(roster, await connectedUsers(deps, roster.lobbyId))(request.user.id);
    },
  );
}

const PlayersQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(100).meta({ description: 'The most players of the page.' }),
  after: After.optional().meta({ description: 'The `next` of the previous page.' }),
});

/** Registers the lists of lobbies and of players, in a scope that guards and limits them as games. [contract 19, 22] */
export function registerLobbyLists(
  scope: FastifyInstance,
  deps: CodeMissDeps & { db: Database; redis: RedisClient },
): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/api/v1/lobbies',
    {
      schema: {
        tags,
        summary: 'See your lobbies',
        description:
          'The lobbies that you are a member of, waiting, running or finished, the newest first: what you can go back to, on any device.',
        response: { 200: JoinedLobbies },
      },
    },
    async ({ user }) => listLobbies(deps.db, user.id),
  );

  app.get(
    '/api/v1/lobbies/:code/players',
    {
      schema: {
        tags,
        summary: 'List the players of a lobby',
        description: `In the order in which they joined. Only members can read it. ${CODE_MISSES}`,
        params: CodeParams,
        querystring: PlayersQuery,
        response: { 200: PlayerPage, ...problems('LOBBY_NOT_FOUND', 'NOT_A_MEMBER') },
      },
    },
    async (request) => {
      const { roster } = await findLobbyOf(deps, request.params.code, senderOf(request));
      return listPlayers(deps, roster, request.query);
    },
  );
}
