// The results of games as clients see them. [contract 4, 5]
import { z } from 'zod';
import { LOBBY_EXAMPLE, LobbySettings } from '../lobby/schema.ts';
import {
  QUESTION_EXAMPLE,
  QUESTION_EXAMPLE_NONCE,
  Question,
  typedSolution,
  VerdictSchema,
} from '../vocabulary/schema.ts';

const natural = z.int().min(0);

export const Score = z.object({
  userId: z.uuid().describe('The id of the user.'),
  name: z.string().describe('The name that others see.'),
  score: natural.describe('The sum of all points so far.'),
});
export type Score = z.output<typeof Score>;

export const JudgedAnswer = z.object({
  userId: z.uuid().describe('The id of the user.'),
  selectedOptionId: natural
    .max(3)
    .nullish()
    .describe('The answer; null if there was none. Absent where answers are typed.'),
  verdict: VerdictSchema.nullish().describe('Only of a typed answer; null if there was none.'),
  isCorrect: z.boolean().describe('Whether the answer is correct.'),
  points: natural.describe('The points for the answer.'),
});
export type JudgedAnswer = z.output<typeof JudgedAnswer>;

/** The number of the best players that messages of a compact lobby name. [contract 19] */
export const TOP_PLACES = 10;

/** What messages of a compact lobby contain instead of all answers, and about their receiver's. [contract 19] */
export const AnswerCounts = z.object({
  options: z.array(natural).optional().describe('By `optionId`; absent where answers are typed.'),
  none: natural.describe('The players who did not answer.'),
  correct: natural.describe('The number of players whose answer is correct.'),
});
export type AnswerCounts = z.output<typeof AnswerCounts>;

export const VerdictCounts = z.object({
  right: natural.describe('Those of accepted texts.'),
  close: natural.describe('Those that are right by a slip of the pen.'),
  wrong: natural.describe('All others.'),
});
export type VerdictCounts = z.output<typeof VerdictCounts>;

const rank = z.int().min(1).describe('1 + the number of players with a higher score.');

export const OwnAnswer = z.object({
  ...JudgedAnswer.omit({ userId: true }).shape,
  score: natural.describe('The sum of all points so far.'),
  rank,
});

export const OwnScore = z.object({
  score: natural.describe('The sum of all points so far.'),
  correct: natural.describe('The number of correct answers.'),
  rank,
});

export const WinnerCount = natural.describe('Only of a compact game: the number of all winners.');

export const RoundEndReason = z.enum(['all_answered', 'timeout', 'player_left', 'skipped']);
export type RoundEndReason = z.output<typeof RoundEndReason>;

/** A judged round of a result, with the nonce that opens the question's commitment. [contract 12, 13] */
export const StoredRound = z.object({
  round: z.int().min(1).describe('The number of the round, counted from 1.'),
  ...Question.shape,
  correctOptionId: natural.max(3).optional().describe('The correct option; absent where answers are typed.'),
  ...typedSolution,
  nonce: z.string().describe('The nonce that opens the commitment.'),
  reason: RoundEndReason.describe('Why the round has ended.'),
  answers: z
    .array(
      JudgedAnswer.extend({
        text: z
          .string()
          .optional()
          .describe('The typed answer: one’s own, and to who was host at the end those of all.'),
        elapsedMs: natural.nullable().describe('From the opening of the round to the answer; null without one.'),
      }),
    )
    .describe('The answers of the players.'),
});
export type StoredRound = z.output<typeof StoredRound>;

const ADA = '3d5a9f52-1c0e-4a53-9a77-0a4e6b1f7c21';
const GAME_EXAMPLE = {
  gameId: 'c1f7a1de-6a0b-4b0b-9d63-6a8f9b1d2e31',
  code: '7KQ2ZD',
  settings: LOBBY_EXAMPLE.settings,
  startedAt: '2026-11-21T09:30:00.000Z',
  finishedAt: '2026-11-21T09:30:42.000Z',
  scores: [
    { userId: ADA, name: 'Ada', score: 3, correct: 3 },
    { userId: '8e6b0c4a-2f39-4c5d-8b11-7d9a5e3f6b42', name: 'Bo', score: 1, correct: 1 },
  ],
  winnerIds: [ADA],
};

export const GameResult = z
  .object({
    gameId: z.uuid().describe('The game’s id.'),
    code: z.string().length(6).describe('The code of the lobby in which the game was played.'),
    settings: LobbySettings,
    startedAt: z.iso.datetime().describe('The time at which the first round began.'),
    finishedAt: z.iso.datetime().describe('The time at which the game ended.'),
    scores: z
      .array(Score.extend({ correct: natural.describe('The number of correct answers.') }))
      .describe(
        'The scores of all who have played, the highest first. Of a compact game, only its host at the end gets all; players get the ten best and their own.',
      ),
    winnerIds: z.array(z.uuid()).describe('All players with the highest score; of a compact game at most ten.'),
    winnerCount: WinnerCount.optional(),
    rounds: z.array(StoredRound).describe('The rounds with their judged answers.'),
  })
  .meta({
    id: 'GameResult',
    description: 'The stored result of a finished game.',
    examples: [
      {
        ...GAME_EXAMPLE,
        rounds: [
          {
            round: 1,
            ...QUESTION_EXAMPLE,
            correctOptionId: 0,
            nonce: QUESTION_EXAMPLE_NONCE,
            reason: 'timeout',
            answers: [{ userId: ADA, selectedOptionId: 0, isCorrect: true, points: 1, elapsedMs: 2345 }],
          },
        ],
      },
    ],
  });
export type GameResult = z.output<typeof GameResult>;

export const GameSummary = z.object(GameResult.shape).omit({ rounds: true });
export type GameSummary = z.output<typeof GameSummary>;

export const GameList = z
  .object({
    games: z.array(GameSummary).describe('The games, the newest first.'),
    next: z.string().nullable().describe('The `before` of the next page; null when nothing follows.'),
  })
  .meta({
    id: 'GameList',
    description: 'The games that the user has played, left or presented.',
    examples: [{ games: [GAME_EXAMPLE], next: null }],
  });
export type GameList = z.output<typeof GameList>;
