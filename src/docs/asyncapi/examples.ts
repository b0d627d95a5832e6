// Examples of each message for the published description, taken from one game of two players.
import { LOBBY_EXAMPLE, type Lobby } from '../../lobby/schema.ts';
import type { Score } from '../../match/schema.ts';
import type { ClientMessage, ServerMessage } from '../../realtime/schema.ts';
import { QUESTION_EXAMPLE, QUESTION_EXAMPLE_NONCE, type Question } from '../../vocabulary/schema.ts';

type Message = ClientMessage | ServerMessage;

const { code: CODE, hostId: ADA } = LOBBY_EXAMPLE;
const BO = '8e6b0c4a-2f39-4c5d-8b11-7d9a5e3f6b42';
const GAME = 'c1f7a1de-6a0b-4b0b-9d63-6a8f9b1d2e31';

const lobby: Lobby = {
  ...LOBBY_EXAMPLE,
  players: [...LOBBY_EXAMPLE.players, { userId: BO, name: 'Bo', isHost: false, plays: true, connected: false }],
};

const question: Question = QUESTION_EXAMPLE;
const { questionId } = question;

const scores: Score[] = [
  { userId: ADA, name: 'Ada', score: 1 },
  { userId: BO, name: 'Bo', score: 0 },
];

/** The examples of each type of message. */
export const EXAMPLES: { [Type in Message['type']]: Extract<Message, { type: Type }>[] } = {
  'lobby:join': [
    { type: 'lobby:join', code: CODE },
    { type: 'lobby:join', code: CODE, since: 12, mark: 'b75e20c98a16fd43' },
  ],
  'lobby:leave': [{ type: 'lobby:leave' }],
  'lobby:start': [{ type: 'lobby:start', ref: 'start-1' }],
  'game:answer': [{ type: 'game:answer', questionId, optionId: 0, ref: 'answer-1' }],
  'game:ready': [{ type: 'game:ready' }],
  'lobby:configure': [{ type: 'lobby:configure', settings: { rounds: 10, intermissionMs: 5000 }, capacity: 30 }],
  'lobby:lock': [{ type: 'lobby:lock', locked: true }],
  'lobby:kick': [{ type: 'lobby:kick', userId: BO }],
  'lobby:again': [{ type: 'lobby:again' }],
  'game:next': [{ type: 'game:next', round: 1, phase: 'intermission' }],
  'game:end': [{ type: 'game:end' }],
  'lobby:kicked': [{ type: 'lobby:kicked', code: CODE }],
  'game:progress': [{ type: 'game:progress', gameId: GAME, round: 1, answered: 1, awaited: 2 }],
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
      question,
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
  error: [
    { type: 'error', code: 409, reason: 'ROUND_CLOSED', message: 'This question is not open.', ref: 'answer-1' },
    { type: 'error', code: 429, reason: 'RATE_LIMITED', message: 'At most 20 messages a second.', retryAfterMs: 1000 },
  ],
};
