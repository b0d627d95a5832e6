// The messages of the socket are one table: of each client's message who may send it when, what refuses it, and its
// handler, which checks what the sender may do, calls the use case, and sends the sender what only that one gets; of all
// messages examples. Dispatch, the AsyncAPI document and the tests read it. [contract 5, 10, 11]
import { randomUUID } from 'node:crypto';
import { SpanKind } from '@opentelemetry/api';
import { AppError, type ErrorCode, invalid, type UnlimitedCode } from '../errors.ts';
import { configureLobby, kickFromLobby, lockLobby, openAgain } from '../lobby/host.ts';
import { LOBBY_EXAMPLE, type Lobby } from '../lobby/schema.ts';
import { endAsHost, endOverduePhase, endPhase } from '../match/end-phase.ts';
import { leaveMatch } from '../match/leave-match.ts';
import type { Score } from '../match/schema.ts';
import { startMatch } from '../match/start-match.ts';
import { renewProgress } from '../match/store.ts';
import { submitAnswer } from '../match/submit-answer.ts';
import { inSpan } from '../platform/observability/tracing.ts';
import { createConcurrencyLimit } from '../platform/overload/concurrency-limit.ts';
import { countOrRefuse } from '../platform/redis/limits.ts';
import { answerOf, QUESTION_EXAMPLE, QUESTION_EXAMPLE_NONCE } from '../vocabulary/schema.ts';
import { detachSocket, enterLobby, type Sender, type SocketServices, sendShown } from './enter-lobby.ts';
import type { ClientMessage, MessageOf, ServerMessage } from './schema.ts';

interface ClientRow<Type extends ClientMessage['type']> {
  examples: MessageOf<Type>[];
  who: 'member' | 'player' | 'host';
  /** The state in which the lobby must be. */
  when: 'any' | 'waiting' | 'running' | 'finished';
  /** The refusals in the order in which they are checked, after those of every message: see `COMMON_REFUSALS`. */
  refusals: ErrorCode[];
  handle(deps: SocketServices, sender: Sender, message: MessageOf<Type>): Promise<unknown>;
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
    examples: [
      { type: 'lobby:join', code: CODE },
      { type: 'lobby:join', code: CODE, since: 12, mark: 'b75e20c98a16fd43' },
    ],
    who: 'member',
    when: 'any',
    refusals: ['LOBBY_NOT_FOUND', 'KICKED', 'NOT_A_MEMBER'],
    handle: enterLobby,
  },
  'lobby:leave': {
    examples: [{ type: 'lobby:leave' }],
    who: 'member',
    when: 'any',
    refusals: ['NOT_IN_LOBBY'],
    async handle(deps, sender) {
      const lobbyId = requireLobby(deps, sender);
      const version = await deps.lobbyWrites.leave(lobbyId, sender.userId);
      if (version !== null) await leaveMatch(deps, lobbyId, sender.userId, version);
      await detachSocket(deps, sender);
    },
  },
  'lobby:start': {
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
    async handle(deps, sender) {
      const lobbyId = requireLobby(deps, sender);
      const { game: max, windowMs } = deps.config.rateLimits;
      // A start counts even if it is refused later. PostgreSQL keeps each result for good. [contract 8]
      await countOrRefuse(deps.redis, [{ name: 'start', subject: sender.userId, max, windowMs, what: 'games' }]);
      await startMatch(deps, lobbyId, sender.userId);
    },
  },
  'game:answer': {
    examples: [{ type: 'game:answer', questionId, optionId: 0, ref: 'answer-1' }],
    who: 'player',
    when: 'running',
    refusals: ['NOT_IN_GAME', 'ROUND_CLOSED', 'ALREADY_ANSWERED'],
    async handle(deps, sender, { questionId, ...fields }) {
      const lobbyId = requireLobby(deps, sender, 'NOT_IN_GAME');
      const request = { userId: sender.userId, questionId, given: answerOf(fields), token: randomUUID() };
      await submitAnswer(deps, lobbyId, request);
    },
  },
  'game:ready': {
    examples: [{ type: 'game:ready' }],
    who: 'member',
    when: 'any',
    refusals: ['NOT_IN_LOBBY'],
    async handle(deps, sender) {
      // During a replay, a snapshot would come before older events.
      await deps.rooms.roomOf(sender)?.caughtUp(sender);
      const lobbyId = requireLobby(deps, sender);
      await endOverduePhase(deps, lobbyId);
      const { roster } = await sendShown(deps, sender, lobbyId, 'last');
      // A request is in no room; the host's stream may be on any replica.
      if (!sender.lobbyId) deps.rooms.roomOf(sender)?.requestProgress(sender);
      else if (roster?.hostId === sender.userId && !roster.settings.hostPlays) await renewProgress(deps.redis, lobbyId);
    },
  },
  'lobby:configure': {
    examples: [{ type: 'lobby:configure', settings: { rounds: 10, intermissionMs: 5000 }, capacity: 30 }],
    who: 'host',
    when: 'waiting',
    refusals: ['NOT_IN_LOBBY', 'NOT_HOST', 'LOBBY_NOT_WAITING', 'LIST_NOT_FOUND', 'LOBBY_FULL'],
    async handle(deps, sender, message) {
      const lobbyId = requireLobby(deps, sender);
      const isChanged = await configureLobby(deps, lobbyId, sender.userId, message);
      if (!isChanged) await sendUnchanged(deps, sender, lobbyId);
    },
  },
  'lobby:lock': {
    examples: [{ type: 'lobby:lock', locked: true }],
    who: 'host',
    when: 'any',
    refusals: ['NOT_IN_LOBBY', 'NOT_HOST'],
    async handle(deps, sender, { locked }) {
      const lobbyId = requireLobby(deps, sender);
      const isChanged = await lockLobby(deps, lobbyId, sender.userId, locked);
      if (!isChanged) await sendUnchanged(deps, sender, lobbyId);
    },
  },
  'lobby:kick': {
    examples: [{ type: 'lobby:kick', userId: BO }],
    who: 'host',
    when: 'any',
    refusals: ['NOT_IN_LOBBY', 'NOT_HOST', 'PLAYER_NOT_FOUND'],
    async handle(deps, sender, { userId }) {
      if (userId === sender.userId) throw invalid([{ path: 'userId', message: 'must be somebody else' }]);
      const lobbyId = requireLobby(deps, sender);
      const lobby = await kickFromLobby(deps, lobbyId, sender.userId, userId);
      if (lobby) await leaveMatch(deps, lobbyId, userId, lobby.version);
    },
  },
  'lobby:again': {
    examples: [{ type: 'lobby:again' }],
    who: 'host',
    when: 'finished',
    refusals: ['NOT_IN_LOBBY', 'NOT_HOST', 'LOBBY_NOT_FINISHED'],
    async handle(deps, sender) {
      const lobbyId = requireLobby(deps, sender);
      await openAgain(deps, lobbyId, sender.userId, () => endPhase(deps, lobbyId));
    },
  },
  'game:next': {
    examples: [{ type: 'game:next', round: 1, phase: 'intermission' }],
    who: 'host',
    when: 'running',
    refusals: ['NOT_IN_LOBBY', 'NOT_HOST', 'NOT_IN_GAME', 'ROUND_CLOSED'],
    handle: endEarly,
  },
  'game:end': {
    examples: [{ type: 'game:end' }],
    who: 'host',
    when: 'running',
    refusals: ['NOT_IN_LOBBY', 'NOT_HOST', 'NOT_IN_GAME', 'ROUND_CLOSED'],
    handle: endEarly,
  },
};

/** @returns the id of the lobby that the sender is in @throws AppError NOT_IN_LOBBY, or the given refusal */
function requireLobby({ rooms }: SocketServices, sender: Sender, refusal: UnlimitedCode = 'NOT_IN_LOBBY'): string {
  const lobbyId = sender.lobbyId ?? rooms.roomOf(sender)?.lobbyId;
  if (!lobbyId) throw new AppError(refusal);
  return lobbyId;
}

async function endEarly(deps: SocketServices, sender: Sender, command: MessageOf<'game:next' | 'game:end'>) {
  await endAsHost(deps, requireLobby(deps, sender), sender.userId, command);
}

/** Sends `lobby:state` alone, after what the socket is being replayed. */
async function sendUnchanged(deps: SocketServices, sender: Sender, lobbyId: string): Promise<void> {
  await deps.rooms.roomOf(sender)?.caughtUp(sender);
  await sendShown(deps, sender, lobbyId, 'first');
}

/** Concurrent joins of all lobbies, and of one; others wait, since each is announced to all members. */
const JOINS_AT_ONCE = { max: 16, maxPerKey: 12 };

export type Dispatch = ReturnType<typeof createDispatch>;

/**
 * @returns a function that carries out a message, whether a frame or a request has brought it; it throws one of the
 *   refusals in the message's row, or an outage
 */
export function createDispatch(deps: SocketServices) {
  const inTurn = createConcurrencyLimit(JOINS_AT_ONCE);

  async function handle(sender: Sender, message: ClientMessage): Promise<void> {
    // After the peer has disconnected, only `lobby:leave` still has an effect on others. [contract 17]
    if (sender.isGone && message.type !== 'lobby:leave') return;
    const row: Pick<ClientRow<ClientMessage['type']>, 'handle'> = CLIENT_MESSAGES[message.type];
    await row.handle(deps, sender, message);
  }

  return (sender: Sender, message: ClientMessage): Promise<void> =>
    inSpan(message.type, { kind: SpanKind.SERVER }, async () => {
      if (message.type !== 'lobby:join') return handle(sender, message);
      // A join waits until the peer has read its last replay, which bounds the replays. [contract 19]
      await sender.taken;
      return inTurn(message.code, () => handle(sender, message));
    });
}

export const SERVER_EXAMPLES: { [Type in ServerMessage['type']]: Extract<ServerMessage, { type: Type }>[] } = {
  'lobby:state': [{ type: 'lobby:state', seq: 4, mark: '9f2c64d0b1e8a357', lobby }],
  'lobby:closed': [{ type: 'lobby:closed', seq: 5, mark: '40c1d7e96fb2385a', code: CODE, reason: 'host_left' }],
  'game:question': [
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
  'game:answer_result': [
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
  'game:finished': [
    { type: 'game:finished', seq: 12, mark: 'b75e20c98a16fd43', gameId: GAME, scores, winnerIds: [ADA] },
  ],
  'lobby:kicked': [{ type: 'lobby:kicked', code: CODE }],
  'game:progress': [{ type: 'game:progress', gameId: GAME, round: 1, answered: 1, awaited: 2 }],
  ack: [{ type: 'ack', ref: 'answer-1' }],
  error: [
    { type: 'error', code: 409, reason: 'ROUND_CLOSED', message: 'This question is not open.', ref: 'answer-1' },
    { type: 'error', code: 429, reason: 'RATE_LIMITED', message: 'At most 20 messages a second.', retryAfterMs: 1000 },
  ],
};
