// The messages of the socket are one table: of each its schema and examples, and of a client's message who may send it
// when, what refuses it, and its handler. Dispatch, the AsyncAPI document and the tests read it. [contract 5, 11]
import type { ErrorCode } from '../errors.ts';
import { LOBBY_EXAMPLE, type Lobby } from '../lobby/schema.ts';
import type { Score } from '../match/schema.ts';
import { QUESTION_EXAMPLE, QUESTION_EXAMPLE_NONCE } from '../vocabulary/schema.ts';
import * as handlers from './handlers.ts';
import type { ClientMessage, MessageOf, ServerMessage } from './schema.ts';
import * as messages from './schema.ts';

type SchemaOf<Type, Option> = Option extends { shape: { type: { value: Type } } } ? Option : never;

interface ServerRow<Type extends ServerMessage['type']> {
  schema: SchemaOf<Type, (typeof ServerMessage.options)[number]>;
  examples: Extract<ServerMessage, { type: Type }>[];
}

interface ClientRow<Type extends ClientMessage['type']> {
  schema: SchemaOf<Type, (typeof ClientMessage.options)[number]>;
  examples: MessageOf<Type>[];
  who: 'member' | 'player' | 'host';
  /** The state in which the lobby must be. */
  when: 'any' | 'waiting' | 'running' | 'finished';
  /** The refusals in the order in which they are checked, after those of every message: see `COMMON_REFUSALS`. */
  refusals: ErrorCode[];
  handle(services: handlers.SocketServices, sender: handlers.Sender, message: MessageOf<Type>): Promise<void>;
}

/** What refuses messages of every type: an invalid one, a limit, an unavailable store. */
export const COMMON_REFUSALS: ErrorCode[] = ['INVALID_JSON', 'VALIDATION_FAILED', 'RATE_LIMITED', 'UNAVAILABLE'];

const { code: CODE, hostId: ADA } = LOBBY_EXAMPLE;
const BO = '8e6b0c4a-2f39-4c5d-8b11-7d9a5e3f6b42';
const GAME = 'c1f7a1de-6a0b-4b0b-9d63-6a8f9b1d2e31';
const { questionId } = QUESTION_EXAMPLE;

const lobby: Lobby = {
  ...LOBBY_EXAMPLE,
  players: [...LOBBY_EXAMPLE.players, { userId: BO, name: 'Bo', isHost: false, plays: true, connected: false }],
};

const scores: Score[] = [
  { userId: ADA, name: 'Ada', score: 1 },
  { userId: BO, name: 'Bo', score: 0 },
];

export const CLIENT_MESSAGES: { [Type in ClientMessage['type']]: ClientRow<Type> } = {
  'lobby:join': {
    schema: messages.LobbyJoinMessage,
    examples: [
      { type: 'lobby:join', code: CODE },
      { type: 'lobby:join', code: CODE, since: 12, mark: 'b75e20c98a16fd43' },
    ],
    who: 'member',
    when: 'any',
    refusals: ['LOBBY_NOT_FOUND', 'KICKED', 'NOT_A_MEMBER'],
    handle: handlers.joinRoom,
  },
  'lobby:leave': {
    schema: messages.LobbyLeaveMessage,
    examples: [{ type: 'lobby:leave' }],
    who: 'member',
    when: 'any',
    refusals: ['NOT_IN_LOBBY'],
    handle: handlers.leaveRoom,
  },
  'lobby:start': {
    schema: messages.LobbyStartMessage,
    examples: [{ type: 'lobby:start', ref: 'start-1' }],
    who: 'host',
    when: 'waiting',
    refusals: [
      'NOT_IN_LOBBY',
      'NOT_HOST',
      'LOBBY_NOT_WAITING',
      'NOT_ENOUGH_PLAYERS',
      'LIST_NOT_FOUND',
      'NO_MATCHING_TERMS',
      'NOT_ENOUGH_TERMS',
      'NOT_ENOUGH_DISTRACTORS',
    ],
    handle: handlers.startGame,
  },
  'game:answer': {
    schema: messages.GameAnswerMessage,
    examples: [{ type: 'game:answer', questionId, optionId: 0, ref: 'answer-1' }],
    who: 'player',
    when: 'running',
    refusals: ['NOT_IN_GAME', 'ROUND_CLOSED', 'ALREADY_ANSWERED'],
    handle: handlers.answerQuestion,
  },
  'game:ready': {
    schema: messages.GameReadyMessage,
    examples: [{ type: 'game:ready' }],
    who: 'member',
    when: 'any',
    refusals: ['NOT_IN_LOBBY'],
    handle: handlers.showAgain,
  },
  'lobby:configure': {
    schema: messages.LobbyConfigureMessage,
    examples: [{ type: 'lobby:configure', settings: { rounds: 10, intermissionMs: 5000 }, capacity: 30 }],
    who: 'host',
    when: 'waiting',
    refusals: ['NOT_IN_LOBBY', 'NOT_HOST', 'LOBBY_NOT_WAITING', 'LIST_NOT_FOUND', 'LOBBY_FULL'],
    handle: handlers.configure,
  },
  'lobby:lock': {
    schema: messages.LobbyLockMessage,
    examples: [{ type: 'lobby:lock', locked: true }],
    who: 'host',
    when: 'any',
    refusals: ['NOT_IN_LOBBY', 'NOT_HOST'],
    handle: handlers.lock,
  },
  'lobby:kick': {
    schema: messages.LobbyKickMessage,
    examples: [{ type: 'lobby:kick', userId: BO }],
    who: 'host',
    when: 'any',
    refusals: ['NOT_IN_LOBBY', 'NOT_HOST', 'PLAYER_NOT_FOUND'],
    handle: handlers.kick,
  },
  'lobby:again': {
    schema: messages.LobbyAgainMessage,
    examples: [{ type: 'lobby:again' }],
    who: 'host',
    when: 'finished',
    refusals: ['NOT_IN_LOBBY', 'NOT_HOST', 'LOBBY_NOT_FINISHED'],
    handle: handlers.openLobbyAgain,
  },
  'game:next': {
    schema: messages.GameNextMessage,
    examples: [{ type: 'game:next', round: 1, phase: 'intermission' }],
    who: 'host',
    when: 'running',
    refusals: ['NOT_IN_LOBBY', 'NOT_HOST', 'NOT_IN_GAME', 'ROUND_CLOSED'],
    handle: handlers.endEarly,
  },
  'game:end': {
    schema: messages.GameEndMessage,
    examples: [{ type: 'game:end' }],
    who: 'host',
    when: 'running',
    refusals: ['NOT_IN_LOBBY', 'NOT_HOST', 'NOT_IN_GAME', 'ROUND_CLOSED'],
    handle: handlers.endEarly,
  },
};

/** Runs the handler of a message. @throws AppError one of the refusals in its row, or of `COMMON_REFUSALS` */
export function handleMessage(
  services: handlers.SocketServices,
  sender: handlers.Sender,
  message: ClientMessage,
): Promise<void> {
  // TypeScript can't relate the type of the row to that of the message.
  const handle = CLIENT_MESSAGES[message.type].handle as (...args: Parameters<typeof handleMessage>) => Promise<void>;
  return handle(services, sender, message);
}

export const SERVER_MESSAGES: { [Type in ServerMessage['type']]: ServerRow<Type> } = {
  'lobby:state': {
    schema: messages.LobbyStateEvent,
    examples: [{ type: 'lobby:state', seq: 4, mark: '9f2c64d0b1e8a357', lobby }],
  },
  'lobby:closed': {
    schema: messages.LobbyClosedEvent,
    examples: [{ type: 'lobby:closed', seq: 5, mark: '40c1d7e96fb2385a', code: CODE, reason: 'host_left' }],
  },
  'game:question': {
    schema: messages.GameQuestionEvent,
    examples: [
      {
        type: 'game:question',
        seq: 6,
        mark: 'e3b07a915c4d28f6',
        gameId: GAME,
        round: 1,
        totalRounds: 3,
        question: QUESTION_EXAMPLE,
        durationMs: 15_000,
        opensInMs: 0,
        remainingMs: 14_996,
        deadline: '2026-11-21T09:31:15.000Z',
      },
    ],
  },
  'game:answer_result': {
    schema: messages.GameAnswerResultEvent,
    examples: [
      {
        type: 'game:answer_result',
        seq: 7,
        mark: '1d86f5c03ea94b72',
        gameId: GAME,
        round: 1,
        questionId,
        correctOptionId: 0,
        nonce: QUESTION_EXAMPLE_NONCE,
        reason: 'timeout',
        nextInMs: 5000,
        nextAt: '2026-11-21T09:31:20.000Z',
        isLast: false,
        answers: [
          { userId: ADA, selectedOptionId: 0, isCorrect: true, points: 1 },
          { userId: BO, selectedOptionId: null, isCorrect: false, points: 0 },
        ],
        scores,
      },
    ],
  },
  'game:finished': {
    schema: messages.GameFinishedEvent,
    examples: [{ type: 'game:finished', seq: 12, mark: 'b75e20c98a16fd43', gameId: GAME, scores, winnerIds: [ADA] }],
  },
  'lobby:kicked': { schema: messages.LobbyKickedMessage, examples: [{ type: 'lobby:kicked', code: CODE }] },
  'game:progress': {
    schema: messages.GameProgressMessage,
    examples: [{ type: 'game:progress', gameId: GAME, round: 1, answered: 1, awaited: 2 }],
  },
  ack: { schema: messages.AckMessage, examples: [{ type: 'ack', ref: 'answer-1' }] },
  error: {
    schema: messages.ErrorMessage,
    examples: [
      { type: 'error', code: 409, reason: 'ROUND_CLOSED', message: 'This question is not open.', ref: 'answer-1' },
      {
        type: 'error',
        code: 429,
        reason: 'RATE_LIMITED',
        message: 'At most 20 messages a second.',
        retryAfterMs: 1000,
      },
    ],
  },
};
