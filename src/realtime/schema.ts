// The whole language of the socket: closed unions of messages, discriminated by `type`. AsyncAPI and
// TypeScript clients are made from the same schemas; examples are in examples.ts. [contract 5]
import { z } from 'zod';
import { ERROR_CODES } from '../errors.ts';
import { Lobby, LobbyChange } from '../lobby/schema.ts';
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

export const LobbyConfigureMessage = z
  .strictObject({ type: z.literal('lobby:configure'), ...LobbyChange.shape, ref })
  .meta({
    id: 'LobbyConfigure',
    description: 'Change settings of a waiting lobby: the host alone; what is not named stays.',
  });

export const LobbyLockMessage = z
  .strictObject({ type: z.literal('lobby:lock'), locked: z.boolean(), ref })
  .meta({ id: 'LobbyLock', description: 'Let nobody else join, or again: the host alone.' });

export const LobbyKickMessage = z
  .strictObject({ type: z.literal('lobby:kick'), userId: z.guid().toLowerCase(), ref })
  .meta({ id: 'LobbyKick', description: 'Remove a player for good: the host alone.' });

export const LobbyAgainMessage = z.strictObject({ type: z.literal('lobby:again'), ref }).meta({
  id: 'LobbyAgain',
  description: 'After a game, wait for another one with the same players: the host alone.',
});

export const GameNextMessage = z
  .strictObject({
    type: z.literal('game:next'),
    round: z.int().min(1),
    phase: z.enum(['round', 'intermission']),
    ref,
  })
  .meta({ id: 'GameNext', description: 'End a round, or an intermission: the host alone.' });

export const GameEndMessage = z.strictObject({ type: z.literal('game:end'), ref }).meta({
  id: 'GameEnd',
  description: 'End the game with the scores so far: the host alone.',
});

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

const seq = z.int().min(0).meta({
  description:
    'The event’s number in its lobby; a snapshot’s is that of the last event it contains.',
});

const mark = z.string().max(MARK_LENGTH).meta({
  description:
    'Tells this event from another one that had the same `seq`, which Redis has lost; opaque.',
});

const snapshot = z
  .literal(true)
  .optional()
  .meta({ description: 'What holds at this moment, for this socket alone.' });

export const LobbyStateEvent = z
  .object({ type: z.literal('lobby:state'), seq, mark, snapshot, lobby: Lobby })
  .meta({
    id: 'LobbyState',
    description: 'The lobby, whenever its players or who is connected change.',
  });

export const LobbyClosedEvent = z
  .object({
    type: z.literal('lobby:closed'),
    seq,
    mark,
    snapshot,
    code: z.string(),
    reason: z.enum(['host_left', 'expired']),
  })
  .meta({ id: 'LobbyClosed', description: 'The lobby is no more.' });

export const GameQuestionEvent = z
  .object({
    type: z.literal('game:question'),
    seq,
    mark,
    snapshot,
    gameId: z.uuid(),
    round: z.int().min(1),
    totalRounds: z.int().min(1),
    question: Question,
    durationMs: z.int(),
    remainingMs: z
      .int()
      .min(0)
      .meta({ description: 'True when published, and in a snapshot or replay when sent.' }),
    deadline: z.iso.datetime(),
  })
  .meta({ id: 'GameQuestion', description: 'A round is open.' });

export const GameAnswerResultEvent = z
  .object({
    type: z.literal('game:answer_result'),
    seq,
    mark,
    snapshot,
    gameId: z.uuid(),
    round: z.int().min(1),
    questionId: z.uuid(),
    correctOptionId: z.int().min(0).max(3),
    nonce: z.string().meta({ description: 'Opens the question’s `commitment`.' }),
    reason: RoundEndReason,
    nextInMs: z.int().min(0).meta({
      description: 'Until the next question, or after the last result the end; as remainingMs.',
    }),
    nextAt: z.iso.datetime(),
    isLast: z.boolean().meta({ description: 'Whether no further question comes.' }),
    answers: z.array(JudgedAnswer).meta({ description: 'Of the players who have not left.' }),
    scores: z.array(Score).meta({ description: 'Everyone who ever played, highest first.' }),
  })
  .meta({ id: 'GameAnswerResult', description: 'A round is resolved.' });

export const GameFinishedEvent = z
  .object({
    type: z.literal('game:finished'),
    seq,
    mark,
    snapshot,
    gameId: z.uuid(),
    scores: z.array(Score),
    winnerIds: z.array(z.uuid()).meta({ description: 'More than one on a tie.' }),
  })
  .meta({ id: 'GameFinished', description: 'The game is over and its result is stored.' });

export const LobbyKickedMessage = z
  .object({ type: z.literal('lobby:kicked'), code: z.string() })
  .meta({ id: 'LobbyKicked', description: 'The host has removed you from this lobby for good.' });

export const GameProgressMessage = z
  .object({
    type: z.literal('game:progress'),
    gameId: z.uuid(),
    round: z.int().min(1),
    answered: z.int().min(0),
    awaited: z.int().min(0).meta({ description: 'All whom the round waits for.' }),
  })
  .meta({ id: 'GameProgress', description: 'How many have answered; for a host who presents.' });
export type GameProgressMessage = z.output<typeof GameProgressMessage>;

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

export const ServerMessage = z.discriminatedUnion('type', [
  ...ServerEvent.options,
  LobbyKickedMessage,
  GameProgressMessage,
  ErrorMessage,
]);
export type ServerMessage = z.output<typeof ServerMessage>;
