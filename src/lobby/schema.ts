// The requests about lobbies, and lobbies as clients see them. [contract 4]
import { z } from 'zod';
import { BUDGETS } from '../budgets.ts';
import { createPageCursor } from '../platform/page-cursor.ts';
import { SCORING_NAMES } from '../scoring/scoring.ts';
import { AnswerMode } from '../vocabulary/schema.ts';
import {
  chosenWords,
  DECK_OR_LIST,
  deckOrList,
  deckOrListOfChange,
  plainWordsFields,
  storedWordsFields,
  wordsFields,
} from '../vocabulary/words.ts';
import { writtenCodeMax } from './rules.ts';

export const LOBBY_CAPACITY = { min: 2, max: BUDGETS.lobbyPlayers.max, default: 8 } as const;
/** The bounds of the times of rounds and intermissions; games on a shared screen take long ones. [contract 11] */
export const ROUND_MS = { min: 1000, max: 300_000 } as const;
export const INTERMISSION_MS = { min: 0, max: 300_000 } as const;
/** The bounds of the time for which a question stands before it can be answered. [contract 22] */
const READ_MS = { min: 0, max: 5000 } as const;

export const LOBBY_ROUNDS = { min: 1, max: BUDGETS.gameRounds.max, default: 3 } as const;

const within = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max);

const Names = z
  .enum(['any', 'unique', 'given'])
  .meta({
    id: 'Names',
    description:
      'Names of players in this lobby. `any`: their own. `unique`: who joins under a name that a member has gets a number behind it. `given`: who joins gets a friendly name from the service; the host keeps the own one. A change holds for later joins.',
  });

const Scoring = z
  .enum(SCORING_NAMES)
  .meta({
    id: 'Scoring',
    description:
      '`accuracy`: 1 point for a correct answer. `speed`: 1000 × (1 − elapsed ÷ (2 × round time)), rounded. `streak`: as `speed`, and 100 more for each correct answer in a row before this one, 500 at most.',
  });

const WaitFor = z
  .enum(['all', 'present'])
  .meta({
    id: 'WaitFor',
    description:
      'Whose answers end a round before its time. `all`: of all players. `present`: of those who are connected, or were a moment ago, as soon as there is one answer.',
  });

export const LobbyStatus = z
  .enum(['waiting', 'running', 'finished'])
  .meta({ id: 'LobbyStatus', description: 'A waiting lobby can be joined; a running one too if it has `lateJoin`.' });

/** The fields that a request may give, without their defaults. */
const settingFields = {
  rounds: within(LOBBY_ROUNDS).describe('The number of rounds of a game.'),
  scoring: Scoring.describe('How answers are scored.'),
  answerMode: AnswerMode.describe('Whether answers are chosen from options or typed.'),
  names: Names.describe('How players are named in the lobby.'),
  roundMs: within(ROUND_MS).describe('The time of a round. The service has a default.'),
  intermissionMs: within(INTERMISSION_MS).describe('The pause between a result and the next question; 0 is none.'),
  readMs: within(READ_MS).describe(
    'For how long a question stands before it can be answered. If it is over 0, the first question stands three seconds longer.',
  ),
  hostPlays: z.boolean().describe('Whether the host plays. If false, the host presents the game.'),
  lateJoin: z.boolean().describe('Whether users can join while the game runs.'),
  waitFor: WaitFor.describe('Whom a round waits for.'),
  compact: z
    .boolean()
    .describe(
      'Whether messages leave out what grows with the number of players: they name the host and the receiver, and the ten best.',
    ),
};

export const LobbySettings = z
  .object({ ...storedWordsFields, ...settingFields, roundMs: z.int().min(1).describe('The time of a round.') })
  .meta({ id: 'LobbySettings', description: 'What is asked, how often, and how it is scored.' });
export type LobbySettings = z.output<typeof LobbySettings>;

/** The settings that the release before does not store, as it would have them. */
export const ADDED_SETTINGS = { names: 'any', waitFor: 'all' } satisfies Partial<LobbySettings>;

const Capacity = within(LOBBY_CAPACITY).describe('The most players of the lobby.');

/** The change that `lobby:configure` makes; a missing field stays as it is. [contract 11] */
export const LobbyChange = z.object({
  settings: z
    .strictObject({
      ...plainWordsFields,
      topic: plainWordsFields.topic
        .unwrap()
        .nullable()
        .describe('Only words of this topic of the deck are asked; null: all.'),
      ...settingFields,
    })
    .partial()
    .check(deckOrListOfChange)
    .optional()
    .meta({ ...DECK_OR_LIST, description: 'The settings to change; the others stay.' }),
  capacity: Capacity.optional().describe('The highest number of players.'),
});
export type LobbyChange = z.output<typeof LobbyChange>;

export const CreateLobbyRequest = z
  .strictObject({
    capacity: Capacity.default(LOBBY_CAPACITY.default),
    settings: z
      .strictObject({
        ...wordsFields,
        rounds: settingFields.rounds.default(LOBBY_ROUNDS.default),
        scoring: settingFields.scoring.default('accuracy'),
        answerMode: settingFields.answerMode.default('choice'),
        names: settingFields.names.default('any'),
        roundMs: settingFields.roundMs.optional(),
        intermissionMs: settingFields.intermissionMs.default(0),
        readMs: settingFields.readMs.default(0),
        hostPlays: settingFields.hostPlays.default(true),
        lateJoin: settingFields.lateJoin.default(false),
        waitFor: settingFields.waitFor.default('all'),
        compact: settingFields.compact.default(false),
      })
      .check(deckOrList)
      .transform(chosenWords)
      .prefault({})
      .meta({ ...DECK_OR_LIST, description: 'The words, the number of rounds, and the scoring.' }),
  })
  .meta({
    id: 'CreateLobbyRequest',
    description: 'Every field is optional.',
    examples: [{ capacity: 4, settings: { targetLanguage: 'es', rounds: 5, scoring: 'speed' } }],
  });
export type CreateLobbyRequest = z.output<typeof CreateLobbyRequest>;

export const LobbyMember = z.object({
  userId: z.uuid().describe('The id of the user.'),
  name: z.string().describe('The name that others see.'),
  isHost: z.boolean().describe('Whether this player is the host.'),
  plays: z.boolean().describe('Whether the member plays. A presenting host does not.'),
  connected: z.boolean().describe('Whether a socket of the player is in the lobby.'),
});

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
    answerMode: 'choice',
    names: 'any',
    roundMs: 15_000,
    intermissionMs: 0,
    readMs: 0,
    hostPlays: true,
    lateJoin: false,
    waitFor: 'all',
    compact: false,
  } satisfies LobbySettings,
  compact: false,
  playerCount: 1,
  connectedCount: 1,
  players: [
    { userId: '3d5a9f52-1c0e-4a53-9a77-0a4e6b1f7c21', name: 'Ada', isHost: true, plays: true, connected: true },
  ],
  locked: false,
  gameId: null,
  createdAt: '2026-11-21T09:30:00.000Z',
};

export const Lobby = z
  .object({
    lobbyId: z.uuid().describe('The lobby’s id.'),
    code: z.string().length(6).describe('The code with which others join.'),
    status: LobbyStatus,
    hostId: z.uuid().describe('The user who is the host.'),
    capacity: z.int().describe('The highest number of players.'),
    settings: LobbySettings,
    compact: z.boolean().describe('Whether the lobby is compact: by its settings, or by a capacity over 200.'),
    playerCount: z.int().describe('The number of players.'),
    connectedCount: z.int().describe('The number of players who are connected.'),
    players: z
      .array(LobbyMember)
      .describe('In the order in which they joined. In a compact lobby, the host and the receiver alone.'),
    locked: z.boolean().describe('Whether the lobby refuses further players.'),
    gameId: z.uuid().nullable().describe('The game; null while the lobby waits.'),
    createdAt: z.iso.datetime().describe('The time of creation.'),
  })
  .meta({ id: 'Lobby', description: 'A lobby as its members see it.', examples: [LOBBY_EXAMPLE] });
export type Lobby = z.output<typeof Lobby>;

/** [contract 19] */
export const PlayerPage = z
  .object({
    players: z.array(LobbyMember).describe('The players in the order in which they joined.'),
    next: z.string().nullable().describe('The `after` of the next page; null when nothing follows.'),
  })
  .meta({
    id: 'PlayerPage',
    description: 'Some of the players of a lobby.',
    examples: [{ players: LOBBY_EXAMPLE.players, next: null }],
  });
export type PlayerPage = z.output<typeof PlayerPage>;

/** The last player of a page, by the number in the order of joining, of PostgreSQL's type `integer`. */
export const playerCursor = createPageCursor(z.tuple([z.int32().min(1)]), '`next` of a page');
export type PlayerCursor = z.output<typeof playerCursor.schema>;

const { lobbyId, code, status, settings, playerCount, gameId, createdAt } = Lobby.shape;
const isHost = z.boolean().describe('Whether you are the host.');
const JoinedLobby = z.object({ lobbyId, code, status, settings, isHost, playerCount, gameId, createdAt });

/** [contract 22] */
export const JoinedLobbies = z
  .object({ lobbies: z.array(JoinedLobby).describe('The lobbies, the newest first; at most 20.') })
  .meta({
    id: 'JoinedLobbies',
    description: 'The lobbies that you are a member of.',
    examples: [{ lobbies: [JoinedLobby.parse({ ...LOBBY_EXAMPLE, isHost: true })] }],
  });
export type JoinedLobbies = z.output<typeof JoinedLobbies>;

/**
 * A lobby with its members, but not which of them are connected. A `StoredLobby` (store.ts) is the roster with the
 * version of its row in PostgreSQL. A `LiveState` (event-log.ts) is what Redis knows at one instant: the roster, who is
 * connected, the event that a snapshot shows, and the position in the log. rules.ts makes each member's `Lobby` of a
 * roster and the connected users; that of a compact lobby is made of a `CompactState`. [contract 19]
 */
export type Roster = Omit<Lobby, 'players' | 'compact' | 'playerCount' | 'connectedCount'> & {
  players: Omit<z.output<typeof LobbyMember>, 'connected'>[];
  /** The users whom the host has removed last; their sockets get `lobby:kicked`. No client gets the list. */
  kicked?: string[];
};

export const CodeParams = z.object({
  code: z
    .string()
    .meta({
      description: 'Six characters. Case, spaces and hyphens are ignored; O is read as 0, I and L as 1.',
      maxLength: writtenCodeMax(),
      examples: ['7KQ2ZD'],
    }),
});

/** A sentence of operations that look up a code. */
export const CODE_MISSES =
  'After too many codes that are of no lobby of yours, here or over `/ws`, every further one gets 429 for a while, right or wrong.';
