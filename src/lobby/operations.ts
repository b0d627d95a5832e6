// The operations of lobbies. [contract 4, 19, 22]
import { z } from 'zod';
import { describeOperations } from '../http/operation.ts';
import { pageLimit } from '../platform/page-cursor.ts';
import {
  CODE_MISSES,
  CodeParams,
  CreateLobbyRequest,
  JoinedLobbies,
  Lobby,
  PlayerPage,
  playerCursor,
} from './schema.ts';

export const operations = describeOperations(
  { tag: 'Lobbies', access: 'user', limit: 'lobby', load: 'new-sql' },
  {
    createLobby: {
      at: 'POST /api/v1/lobbies',
      summary: 'Create a lobby',
      description: 'You are its host and first player.',
      body: CreateLobbyRequest,
      replies: { 201: Lobby },
      location: '/api/v1/lobbies/:code',
      refusals: ['LIST_NOT_FOUND'],
    },

    joinLobby: {
      at: 'POST /api/v1/lobbies/:code/join',
      summary: 'Join a lobby',
      description: `Joining again changes nothing. Then connect to \`/ws\` and send \`lobby:join\`. ${CODE_MISSES}`,
      params: CodeParams,
      body: z.strictObject({}),
      replies: { 200: Lobby },
      refusals: ['LOBBY_NOT_FOUND', 'KICKED', 'LOBBY_NOT_WAITING', 'LOBBY_LOCKED', 'LOBBY_FULL'],
    },

    getLobby: {
      at: 'GET /api/v1/lobbies/:code',
      summary: 'Read a lobby',
      description: `Only members can read it. ${CODE_MISSES}`,
      params: CodeParams,
      replies: { 200: Lobby },
      refusals: ['LOBBY_NOT_FOUND', 'NOT_A_MEMBER'],
    },

    getLobbies: {
      at: 'GET /api/v1/lobbies',
      limit: 'game',
      load: 'new',
      summary: 'See your lobbies',
      description:
        'The lobbies that you are a member of, waiting, running or finished, the newest first: what you can go back to, on any device.',
      replies: { 200: JoinedLobbies },
    },

    listPlayers: {
      at: 'GET /api/v1/lobbies/:code/players',
      limit: 'game',
      load: 'new',
      summary: 'List the players of a lobby',
      description: `In the order in which they joined. Only members can read it. ${CODE_MISSES}`,
      params: CodeParams,
      query: z.strictObject({ limit: pageLimit('players', { max: 200, byDefault: 100 }), after: playerCursor.field }),
      replies: { 200: PlayerPage },
      refusals: ['LOBBY_NOT_FOUND', 'NOT_A_MEMBER'],
    },
  },
);
