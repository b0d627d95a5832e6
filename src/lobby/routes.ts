// Lobbies over HTTP. [contract 4]
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { problems } from '../http/problems/problem-schema.ts';
import { createGate } from '../platform/gate.ts';
import type { Database } from '../platform/postgres.ts';
import type { CodeMissDeps } from './code-misses.ts';
import { createLobby } from './create-lobby.ts';
import type { LiveDeps } from './event-log.ts';
import { findLobbyOf } from './find-lobby.ts';
import { joinLobby } from './join-lobby.ts';
import { connectedUsers } from './presence.ts';
import { viewOf } from './rules.ts';
import { CreateLobbyRequest, Lobby } from './schema.ts';

const CodeParams = z.object({
  code: z.string().meta({
    description:
      'Six characters; case, spaces and hyphens don’t matter, nor O for 0 and I or L for 1.',
    examples: ['7KQ2ZD'],
  }),
});

const tags = ['Lobbies'];

/** Joins of one lobby wait for its row, each with a connection of the pool: not for all of them. */
const JOINS_AT_ONCE = 4;

const CODE_MISSES =
  'Too many codes that lead to no lobby of yours, here or over `/ws`, and every further one is 429 for a while, right or wrong.';

/** Registers the lobby routes in a scope that guards them. */
export function registerLobbyRoutes(
  scope: FastifyInstance,
  deps: LiveDeps & CodeMissDeps & { db: Database; roundDurationMs: number },
): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const inTurn = createGate(JOINS_AT_ONCE);

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
    async (request, reply) =>
      reply.status(201).send(await createLobby(deps, request.user.id, request.body)),
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
          ...problems(
            'LOBBY_NOT_FOUND',
            'KICKED',
            'LOBBY_NOT_WAITING',
            'LOBBY_LOCKED',
            'LOBBY_FULL',
          ),
        },
      },
    },
    async (request) => inTurn(() => joinLobby(deps, request.params.code, request.user.id)),
  );

  app.get(
    '/api/v1/lobbies/:code',
    {
      schema: {
        tags,
        summary: 'Read a lobby',
        description: `For its members. ${CODE_MISSES}`,
        params: CodeParams,
        response: { 200: Lobby, ...problems('LOBBY_NOT_FOUND', 'NOT_A_MEMBER') },
      },
    },
    async (request) => {
      const { roster } = await findLobbyOf(deps, request.params.code, request.user.id);
      return viewOf(roster, await connectedUsers(deps, roster.lobbyId));
    },
  );
}
