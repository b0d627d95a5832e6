// What clients send and see of a lobby. [contract 4]
import { z } from 'zod';
import { SCORING_NAMES } from '../scoring/registry.ts';
import { deckFields, deckShape, differentLanguages } from '../vocabulary/schema.ts';

export const LOBBY_CAPACITY = { min: 2, max: 50, default: 8 } as const;
export const LOBBY_ROUNDS = { min: 1, max: 20, default: 3 } as const;

const Scoring = z.enum(SCORING_NAMES).meta({
  id: 'Scoring',
  description:
    '`accuracy`: 1 point for a correct answer. `speed`: 1000 × (1 − elapsed ÷ (2 × round time)), rounded.',
});

export const LobbyStatus = z
  .enum(['waiting', 'running', 'finished'])
  .meta({ id: 'LobbyStatus', description: 'Only a waiting lobby accepts joins.' });

export const LobbySettings = z
  .object({
    ...deckShape,
    rounds: z.int().min(LOBBY_ROUNDS.min).max(LOBBY_ROUNDS.max),
    scoring: Scoring,
  })
  .meta({ id: 'LobbySettings', description: 'What is asked, how often, and how it is scored.' });
export type LobbySettings = z.output<typeof LobbySettings>;

/** The body of POST /api/v1/lobbies; every field is optional. */
export const CreateLobbyRequest = z
  .strictObject({
    capacity: z
      .int()
      .min(LOBBY_CAPACITY.min)
      .max(LOBBY_CAPACITY.max)
      .default(LOBBY_CAPACITY.default)
      .meta({ description: 'How many players it holds.' }),
    settings: z
      .strictObject({
        ...deckFields,
        rounds: z.int().min(LOBBY_ROUNDS.min).max(LOBBY_ROUNDS.max).default(LOBBY_ROUNDS.default),
        scoring: Scoring.default('accuracy'),
      })
      .check(differentLanguages)
      .prefault({}),
  })
  .meta({
    id: 'CreateLobbyRequest',
    description: 'Every field is optional.',
    examples: [{ capacity: 4, settings: { targetLanguage: 'es', rounds: 5, scoring: 'speed' } }],
  });
export type CreateLobbyRequest = z.output<typeof CreateLobbyRequest>;

export const LobbyMember = z.object({
  userId: z.uuid(),
  name: z.string(),
  isHost: z.boolean(),
  connected: z.boolean().meta({ description: 'Whether any socket of the player is in the lobby.' }),
});

/** The lobby of all published examples. */
export const LOBBY_EXAMPLE = {
  lobbyId: '9b2f6c1e-54b8-4f6a-8a0e-2f1f7c6f9a10',
  code: '7KQ2ZD',
  status: 'waiting' as const,
  hostId: '3d5a9f52-1c0e-4a53-9a77-0a4e6b1f7c21',
  capacity: 8,
  settings: {
    pos: 'noun',
    sourceLanguage: 'en',
    targetLanguage: 'it',
    difficulty: 'A1',
    rounds: 3,
    scoring: 'accuracy',
  } satisfies LobbySettings,
  players: [
    {
      userId: '3d5a9f52-1c0e-4a53-9a77-0a4e6b1f7c21',
      name: 'Ada',
      isHost: true,
      connected: true,
    },
  ],
  gameId: null,
  createdAt: '2026-11-21T09:30:00.000Z',
};

export const Lobby = z
  .object({
    lobbyId: z.uuid(),
    code: z.string().length(6),
    status: LobbyStatus,
    hostId: z.uuid(),
    capacity: z.int(),
    settings: LobbySettings,
    players: z.array(LobbyMember).meta({ description: 'In the order in which they joined.' }),
    gameId: z.uuid().nullable().meta({ description: 'Null until the game starts.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'Lobby',
    description: 'A lobby as its members see it.',
    examples: [LOBBY_EXAMPLE],
  });
export type Lobby = z.output<typeof Lobby>;

/** A lobby as PostgreSQL knows it: who is a member, not who is connected. */
export type Roster = Omit<Lobby, 'players'> & {
  players: Omit<z.output<typeof LobbyMember>, 'connected'>[];
};
