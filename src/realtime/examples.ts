// One example or more of each message, for the published description: excerpts of one game of two.
import type { Lobby } from '../lobby/schema.ts';
import type { Score } from '../match/schema.ts';
import type { Question } from '../vocabulary/schema.ts';
import type { ClientMessage, ServerMessage } from './schema.ts';

type Message = ClientMessage | ServerMessage;

const CODE = '7KQ2ZD';
const ADA = '3d5a9f52-1c0e-4a53-9a77-0a4e6b1f7c21';
const BO = '8e6b0c4a-2f39-4c5d-8b11-7d9a5e3f6b42';
const GAME = 'c1f7a1de-6a0b-4b0b-9d63-6a8f9b1d2e31';

const lobby: Lobby = {
  lobbyId: '9b2f6c1e-54b8-4f6a-8a0e-2f1f7c6f9a10',
  code: CODE,
  status: 'waiting',
  hostId: ADA,
  capacity: 8,
  settings: {
    pos: 'noun',
    sourceLanguage: 'en',
    targetLanguage: 'it',
    difficulty: 'A1',
    rounds: 3,
    scoring: 'accuracy',
  },
  players: [
    { userId: ADA, name: 'Ada', isHost: true, connected: true },
    { userId: BO, name: 'Bo', isHost: false, connected: false },
  ],
  gameId: null,
  createdAt: '2026-11-21T09:30:00.000Z',
};

const question: Question = {
  questionId: '0d4f9d2c-7b53-4f0e-9a55-1f4f6e3a8b21',
  prompt: 'house',
  gloss: 'a building to live in',
  options: [
    { optionId: 0, text: 'casa' },
    { optionId: 1, text: 'libro' },
    { optionId: 2, text: 'gatto' },
    { optionId: 3, text: 'strada' },
  ],
};
const { questionId } = question;

const scores: Score[] = [
  { userId: ADA, name: 'Ada', score: 1 },
  { userId: BO, name: 'Bo', score: 0 },
];

/** By the messages' types. */
export const EXAMPLES: { [Type in Message['type']]: Extract<Message, { type: Type }>[] } = {
  'lobby:join': [
    { type: 'lobby:join', code: CODE },
    { type: 'lobby:join', code: CODE, since: 12 },
  ],
  'lobby:leave': [{ type: 'lobby:leave' }],
  'lobby:start': [{ type: 'lobby:start', ref: 'start-1' }],
  'game:answer': [{ type: 'game:answer', questionId, optionId: 0, ref: 'answer-1' }],
  'game:ready': [{ type: 'game:ready' }],
  'lobby:state': [{ type: 'lobby:state', seq: 4, lobby }],
  'lobby:closed': [{ type: 'lobby:closed', seq: 5, code: CODE, reason: 'host_left' }],
  'game:question': [
    {
      type: 'game:question',
      seq: 6,
      gameId: GAME,
      round: 1,
      totalRounds: 3,
      question,
      durationMs: 15_000,
      remainingMs: 14_996,
      deadline: '2026-11-21T09:31:15.000Z',
    },
  ],
  'game:answer_result': [
    {
      type: 'game:answer_result',
      seq: 7,
      gameId: GAME,
      round: 1,
      questionId,
      correctOptionId: 0,
      reason: 'timeout',
      answers: [
        { userId: ADA, selectedOptionId: 0, isCorrect: true, points: 1 },
        { userId: BO, selectedOptionId: null, isCorrect: false, points: 0 },
      ],
      scores,
    },
  ],
  'game:finished': [{ type: 'game:finished', seq: 12, gameId: GAME, scores, winnerIds: [ADA] }],
  error: [
    {
      type: 'error',
      code: 409,
      reason: 'ROUND_CLOSED',
      message: 'This question is not open (any more).',
      ref: 'answer-1',
    },
    {
      type: 'error',
      code: 429,
      reason: 'RATE_LIMITED',
      message: 'At most 20 messages a second.',
    },
  ],
};
