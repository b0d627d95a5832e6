// The schemas of all messages of the socket: closed unions, discriminated by `type`. The AsyncAPI document
// and the client's types are generated from them. [contract 5]
import { z } from 'zod';
import { ERROR_CODES } from '../errors.ts';
import { writtenCodeMax } from '../lobby/rules.ts';
import { LOBBY_EXAMPLE, Lobby, LobbyChange } from '../lobby/schema.ts';
import {
  AnswerCounts,
  JudgedAnswer,
  OwnAnswer,
  OwnScore,
  RoundEndReason,
  Score,
  VerdictCounts,
  WinnerCount,
} from '../match/schema.ts';
import {
  answerFields,
  ONE_ANSWER,
  oneAnswer,
  QUESTION_EXAMPLE,
  Question,
  typedSolution,
} from '../vocabulary/schema.ts';

export const natural = z.int().min(0);

/** The length of a mark, in characters; a client's longer one is refused. [contract 16] */
export const MARK_MAX = 16;

const ref = z.string().min(1).max(64).optional().describe('The `ack` or `error` of this message returns it.');

export const LobbyJoinMessage = z
  .strictObject({
    type: z.literal('lobby:join'),
    code: z.string().meta({ maxLength: writtenCodeMax(), description: 'The code of the lobby.' }),
    since: natural.optional().describe('The last `seq` that you have seen. You get exactly the events after it.'),
    mark: z
      .string()
      .max(MARK_MAX)
      .optional()
      .describe('The `mark` of the event `since`. If that number belongs to another event now, you get a snapshot.'),
    ref,
  })
  .refine(({ since, mark }) => mark === undefined || since !== undefined, { path: ['mark'], error: 'goes with since' })
  .meta({
    id: 'LobbyJoin',
    dependencies: { mark: ['since'] },
    description: 'Enters a lobby of which you are a member, or resumes after a reconnection.',
  });

export const LobbyLeaveMessage = z
  .strictObject({ type: z.literal('lobby:leave'), ref })
  .meta({
    id: 'LobbyLeave',
    description: 'Leaves the lobby for good. A waiting lobby is closed when its host leaves.',
  });

export const LobbyStartMessage = z
  .strictObject({ type: z.literal('lobby:start'), ref })
  .meta({ id: 'LobbyStart', description: 'Starts the game. Only the host can, with at least two members connected.' });

const answer = {
  type: z.literal('game:answer'),
  questionId: z.uuid().describe('The id of the question.'),
  ...answerFields,
};

export const GameAnswerMessage = z
  .strictObject({ ...answer, ref })
  .check(oneAnswer)
  .meta({
    ...ONE_ANSWER,
    id: 'GameAnswer',
    description:
      'Answers the open question: with `text` if it is typed, otherwise with `optionId`. The first answer counts.',
  });

export const GameReadyMessage = z
  .strictObject({ type: z.literal('game:ready'), ref })
  .meta({ id: 'GameReady', description: 'Requests what the screens show now, for this socket alone.' });

export const LobbyConfigureMessage = z
  .strictObject({ type: z.literal('lobby:configure'), ...LobbyChange.shape, ref })
  .meta({
    id: 'LobbyConfigure',
    description: 'Changes the settings of a waiting lobby. A missing field stays as it is. Only the host can.',
  });

export const LobbyLockMessage = z
  .strictObject({ type: z.literal('lobby:lock'), locked: z.boolean().describe('Whether nobody else can join.'), ref })
  .meta({
    id: 'LobbyLock',
    description: 'Locks the lobby, so that nobody else can join, or unlocks it. Only the host can.',
  });

export const LobbyKickMessage = z
  .strictObject({
    type: z.literal('lobby:kick'),
    userId: z.guid().toLowerCase().describe('The player to remove.'),
    ref,
  })
  .meta({ id: 'LobbyKick', description: 'Removes a player for good. Only the host can.' });

export const LobbyAgainMessage = z
  .strictObject({ type: z.literal('lobby:again'), ref })
  .meta({
    id: 'LobbyAgain',
    description: 'After a game, makes the lobby wait for another one with the same players. Only the host can.',
  });

export const GameNextMessage = z
  .strictObject({
    type: z.literal('game:next'),
    round: z.int().min(1).describe('The number of the round, counted from 1.'),
    phase: z.enum(['round', 'intermission']).describe('The phase to end.'),
    ref,
  })
  .meta({ id: 'GameNext', description: 'Ends a round or an intermission. Only the host can.' });

export const GameEndMessage = z
  .strictObject({ type: z.literal('game:end'), ref })
  .meta({ id: 'GameEnd', description: 'Ends the game with the scores so far. Only the host can.' });

export const ClientMessage = z.discriminatedUnion('type', [
  LobbyJoinMessage,
  LobbyLeaveMessage,
  LobbyStartMessage,
  GameAnswerMessage,
  GameReadyMessage,
  LobbyConfigureMessage,
  LobbyLockMessage,
  LobbyKickMessage,
  LobbyAgainMessage,
  GameNextMessage,
  GameEndMessage,
]);
export type ClientMessage = z.output<typeof ClientMessage>;
export type MessageOf<T extends ClientMessage['type']> = Extract<ClientMessage, { type: T }>;

const REF = { ref: true } as const;

/** A message that comes by a request, whose reply needs no `ref`. [contract 24] */
export const RequestMessage = z
  .discriminatedUnion('type', [
    LobbyLeaveMessage.omit(REF),
    LobbyStartMessage.omit(REF),
    z.strictObject(answer).check(oneAnswer).meta(ONE_ANSWER),
    GameReadyMessage.omit(REF),
    LobbyConfigureMessage.omit(REF),
    LobbyLockMessage.omit(REF),
    LobbyKickMessage.omit(REF),
    LobbyAgainMessage.omit(REF),
    GameNextMessage.omit(REF),
    GameEndMessage.omit(REF),
  ])
  .meta({
    id: 'RequestMessage',
    description: 'A message as a socket sends it, without `ref`. A stream takes the place of `lobby:join`.',
    examples: [{ type: 'game:answer', questionId: QUESTION_EXAMPLE.questionId, optionId: 0 }],
  });

/** The fields of every event, and of the snapshots that repeat it. */
const position = {
  seq: natural.describe(
    'The event’s number in its lobby. A snapshot has the number of the last event that it contains.',
  ),
  mark: z
    .string()
    .max(MARK_MAX)
    .describe(
      'An opaque text that differs from the mark of an earlier event with the same `seq`, which the service has lost.',
    ),
  snapshot: z.literal(true).optional().describe('The message shows the state of this moment, to this socket alone.'),
};

export const LobbyStateEvent = z
  .object({ type: z.literal('lobby:state'), ...position, lobby: Lobby })
  .meta({ id: 'LobbyState', description: 'The lobby has changed: its players, their connections or its settings.' });

export const LobbyClosedEvent = z
  .object({
    type: z.literal('lobby:closed'),
    ...position,
    code: z.string().describe('The lobby’s code.'),
    reason: z.enum(['host_left', 'expired']).describe('Why the lobby is closed.'),
  })
  .meta({ id: 'LobbyClosed', description: 'The lobby is closed.' });

export const GameQuestionEvent = z
  .object({
    type: z.literal('game:question'),
    ...position,
    gameId: z.uuid().describe('The game’s id.'),
    round: z.int().min(1).describe('The number of the round, counted from 1.'),
    totalRounds: z.int().min(1).describe('The number of rounds of the game.'),
    question: Question,
    durationMs: z.int().describe('For how long the question can be answered.'),
    opensInMs: natural.describe('Until the question can be answered; 0 at once. It is counted as `remainingMs`.'),
    remainingMs: natural.describe(
      'Until the deadline: counted from the publishing, in a snapshot or replay from the sending.',
    ),
    deadline: z.iso.datetime().describe('The time at which the round ends. It is by the clock of the Redis server.'),
    yourAnswer: z
      .union([
        z.object({ optionId: natural.max(3).describe('The chosen option.') }),
        z.object({ text: z.string().describe('The text, after NFC and trimming.') }),
      ])
      .nullable()
      .optional()
      .describe('Only in a snapshot, for a player: the own answer to this question; null without one.'),
  })
  .meta({ id: 'GameQuestion', description: 'A round is open.' });

export const GameAnswerResultEvent = z
  .object({
    type: z.literal('game:answer_result'),
    ...position,
    gameId: z.uuid().describe('The game’s id.'),
    round: z.int().min(1).describe('The number of the round, counted from 1.'),
    questionId: z.uuid().describe('The id of the question.'),
    correctOptionId: natural.max(3).optional().describe('The correct option; absent where answers are typed.'),
    ...typedSolution,
    nonce: z.string().describe('The nonce that opens the question’s `commitment`.'),
    reason: RoundEndReason.describe('Why the round has ended.'),
    nextInMs: natural.describe('Until the next question, or the end after the last result: counted as `remainingMs`.'),
    nextAt: z.iso
      .datetime()
      .describe('The time of the next question, or of the end of the game. It is by the clock of the Redis server.'),
    isLast: z.boolean().describe('Whether this was the last question.'),
    question: Question.optional().describe('Only in a snapshot: the question that was judged.'),
    answers: z
      .array(JudgedAnswer)
      .optional()
      .describe('The answers of the players who have not left. Absent in a compact lobby.'),
    counts: AnswerCounts.optional().describe('Only in a compact lobby: the numbers of these answers.'),
    verdicts: VerdictCounts.optional().describe('Only of typed answers in a compact lobby: how they were judged.'),
    scores: z
      .array(Score)
      .describe('The scores of all who have played, the highest first; in a compact lobby the ten best.'),
    you: OwnAnswer.optional().describe('Only in a compact lobby, for a player: the own answer and score.'),
  })
  .meta({ id: 'GameAnswerResult', description: 'A round is resolved.' });

export const GameFinishedEvent = z
  .object({
    type: z.literal('game:finished'),
    ...position,
    gameId: z.uuid().describe('The game’s id.'),
    scores: z.array(Score).describe('The highest first; in a compact lobby the ten best.'),
    winnerIds: z.array(z.uuid()).describe('All players with the highest score; in a compact lobby at most ten.'),
    winnerCount: WinnerCount.optional(),
    you: OwnScore.optional().describe('Only in a compact lobby, for a player: the own score.'),
  })
  .meta({ id: 'GameFinished', description: 'The game is over and its result is stored.' });

export const LobbyKickedMessage = z
  .object({ type: z.literal('lobby:kicked'), code: z.string().describe('The lobby’s code.') })
  .meta({ id: 'LobbyKicked', description: 'The host has removed you from this lobby for good.' });

export const GameProgressMessage = z
  .object({
    type: z.literal('game:progress'),
    gameId: z.uuid().describe('The game’s id.'),
    round: z.int().min(1).describe('The number of the round, counted from 1.'),
    answered: natural.describe('The number of players who have answered.'),
    awaited: natural.describe('The players for whose answers the round waits.'),
  })
  .meta({ id: 'GameProgress', description: 'How many players have answered. Only a presenting host gets it.' });
export type GameProgressMessage = z.output<typeof GameProgressMessage>;

export const AckMessage = z
  .object({ type: z.literal('ack'), ref: z.string().describe('The `ref` of the message.') })
  .meta({ id: 'Ack', description: 'A message of this socket that carried a `ref` has taken effect.' });
export type AckMessage = z.output<typeof AckMessage>;

export const ErrorMessage = z
  .object({
    type: z.literal('error'),
    code: z.int().describe('The HTTP-like status.'),
    reason: z.enum(ERROR_CODES).describe('The stable code of the refusal.'),
    message: z.string().describe('An explanation for people, which may change.'),
    ref: z.string().optional().describe('The `ref` of the refused message.'),
    retryAfterMs: natural.optional().describe('With 429: how long to wait before the next attempt.'),
  })
  .meta({ id: 'Error', description: 'A message of this socket was refused; the connection stays open.' });
export type ErrorMessage = z.output<typeof ErrorMessage>;

export const ServerEvent = z.discriminatedUnion('type', [
  LobbyStateEvent,
  LobbyClosedEvent,
  GameQuestionEvent,
  GameAnswerResultEvent,
  GameFinishedEvent,
]);
export type ServerEvent = z.output<typeof ServerEvent>;

export const ShownMessages = z
  .object({ messages: z.array(ServerEvent).describe('As a socket gets them.') })
  .meta({
    id: 'ShownMessages',
    description: 'What the screens show now, the reply to `game:ready`.',
    examples: [
      { messages: [{ type: 'lobby:state', seq: 4, mark: '9f2c64d0b1e8a357', snapshot: true, lobby: LOBBY_EXAMPLE }] },
    ],
  });
export type ShownMessages = z.output<typeof ShownMessages>;

export const ServerMessage = z.discriminatedUnion('type', [
  ...ServerEvent.options,
  LobbyKickedMessage,
  GameProgressMessage,
  AckMessage,
  ErrorMessage,
]);
export type ServerMessage = z.output<typeof ServerMessage>;
