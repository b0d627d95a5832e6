// The whole language of the socket: closed unions of messages, discriminated by `type`. AsyncAPI and
// TypeScript clients are made from the same schemas; examples are in examples.ts. [contract 5]
import { z } from 'zod';
import { ERROR_CODES } from '../errors.ts';
import { Lobby } from '../lobby/schema.ts';
import { JudgedAnswer, RoundEndReason, Score } from '../match/schema.ts';
import { Question } from '../vocabulary/schema.ts';

/** [contract 16] */
const MARK_LENGTH = 16;

const ref = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .meta({ description: 'Returned by an `error` that this message causes.' });

export const LobbyJoinMessage = z
  .strictObject({
    type: z.literal('lobby:join'),
    code: z.string(),
    since: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'The last `seq` seen: get exactly the events after it.' }),
    mark: z.string().max(MARK_LENGTH).optional().meta({
      description: 'The `mark` seen with `since`: another event of that number gives a snapshot.',
    }),
    ref,
  })
  .refine(({ since, mark }) => mark === undefined || since !== undefined, {
    path: ['mark'],
    error: 'goes with since',
  })
  .meta({
    id: 'LobbyJoin',
    dependencies: { mark: ['since'] },
    description: 'Enter a lobby whose member you are, or come back to it.',
  });

export const LobbyLeaveMessage = z.strictObject({ type: z.literal('lobby:leave'), ref }).meta({
  id: 'LobbyLeave',
  description: 'Leave for good; a waiting lobby goes with its host.',
});

export const LobbyStartMessage = z.strictObject({ type: z.literal('lobby:start'), ref }).meta({
  id: 'LobbyStart',
  description: 'Start the game: the host alone, with at least two players connected.',
});

export const GameAnswerMessage = z
  .strictObject({
    type: z.literal('game:answer'),
    questionId: z.uuid(),
    optionId: z.int().min(0).max(3),
    ref,
  })
  .meta({
    id: 'GameAnswer',
    description: 'Answer the open question; the first answer stands.',
  });

export const GameReadyMessage = z.strictObject({ type: z.literal('game:ready'), ref }).meta({
  id: 'GameReady',
  description: 'Ask for what is on the screen now, for this socket alone.',
});

export const ClientMessage = z.discriminatedUnion('type', [
  LobbyJoinMessage,
  LobbyLeaveMessage,
  LobbyStartMessage,
  GameAnswerMessage,
  GameReadyMessage,
]);
export type ClientMessage = z.output<typeof ClientMessage>;

const seq = z.int().min(0).meta({
  description:
    'The event’s number in its lobby; a snapshot’s is that of the last event it contains.',
});

const mark = z.string().max(MARK_LENGTH).meta({
  description:
    'Tells this event from another one that had the same `seq`, which Redis has lost; opaque.',
});

export const LobbyStateEvent = z
  .object({ type: z.literal('lobby:state'), seq, mark, lobby: Lobby })
  .meta({
    id: 'LobbyState',
    description: 'The lobby, whenever its players or who is connected change.',
  });

export const LobbyClosedEvent = z
  .object({
    type: z.literal('lobby:closed'),
    seq,
    mark,
    code: z.string(),
    reason: z.enum(['host_left', 'expired']),
  })
  .meta({ id: 'LobbyClosed', description: 'The lobby is no more.' });

export const GameQuestionEvent = z
  .object({
    type: z.literal('game:question'),
    seq,
    mark,
    gameId: z.uuid(),
    round: z.int().min(1),
    totalRounds: z.int().min(1),
    question: Question,
    durationMs: z.int(),
    remainingMs: z.int().min(0).meta({ description: 'True at the moment of sending.' }),
    deadline: z.iso.datetime(),
  })
  .meta({ id: 'GameQuestion', description: 'A round is open.' });

export const GameAnswerResultEvent = z
  .object({
    type: z.literal('game:answer_result'),
    seq,
    mark,
    gameId: z.uuid(),
    round: z.int().min(1),
    questionId: z.uuid(),
    correctOptionId: z.int().min(0).max(3),
    reason: RoundEndReason,
    answers: z.array(JudgedAnswer).meta({ description: 'Of the players who have not left.' }),
    scores: z.array(Score).meta({ description: 'Everyone who ever played, highest first.' }),
  })
  .meta({ id: 'GameAnswerResult', description: 'A round is resolved.' });

export const GameFinishedEvent = z
  .object({
    type: z.literal('game:finished'),
    seq,
    mark,
    gameId: z.uuid(),
    scores: z.array(Score),
    winnerIds: z.array(z.uuid()).meta({ description: 'More than one on a tie.' }),
  })
  .meta({ id: 'GameFinished', description: 'The game is over and its result is stored.' });

export const ErrorMessage = z
  .object({
    type: z.literal('error'),
    code: z.int().meta({ description: 'The HTTP-like status.' }),
    reason: z.enum(ERROR_CODES),
    message: z.string().meta({ description: 'For people; may change.' }),
    ref: z.string().optional(),
    retryAfterMs: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'With 429: how long to wait before trying again.' }),
  })
  .meta({
    id: 'Error',
    description: 'A message of this socket was refused; the connection stays open.',
  });
export type ErrorMessage = z.output<typeof ErrorMessage>;

export const ServerEvent = z.discriminatedUnion('type', [
  LobbyStateEvent,
  LobbyClosedEvent,
  GameQuestionEvent,
  GameAnswerResultEvent,
  GameFinishedEvent,
]);
/** What a lobby's sockets are told. */
export type ServerEvent = z.output<typeof ServerEvent>;

export const ServerMessage = z.discriminatedUnion('type', [...ServerEvent.options, ErrorMessage]);
export type ServerMessage = z.output<typeof ServerMessage>;
