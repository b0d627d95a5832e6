// What clients are told of an event: exactly the contract's fields, the same on every replica but for
// the time that remains. [contract 5, 5.9, 5.10, 16]
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../src/lobby/history.ts';
import type { Roster } from '../../src/lobby/schema.ts';
import { readLive, render, renderSnapshot } from '../../src/realtime/render.ts';
import { ServerEvent } from '../../src/realtime/schema.ts';

const RUNS = { numRuns: 500, seed: 20_261_121 };
const NOW_MS = Date.parse('2026-11-21T09:30:00.000Z');
const ADA = '5b5f3c0e-3a5e-4c8e-9a52-0d6d1f3c7a01';
const BEN = '5b5f3c0e-3a5e-4c8e-9a52-0d6d1f3c7a02';
const GAME = '5b5f3c0e-3a5e-4c8e-9a52-0d6d1f3c7a03';
const QUESTION = '5b5f3c0e-3a5e-4c8e-9a52-0d6d1f3c7a04';

const ROSTER: Roster = {
  lobbyId: '5b5f3c0e-3a5e-4c8e-9a52-0d6d1f3c7a05',
  code: '7KQ2ZD',
  status: 'running',
  hostId: ADA,
  capacity: 8,
  settings: {
    ...{ pos: 'noun', sourceLanguage: 'en', targetLanguage: 'it', difficulty: 'A1' },
    ...{ rounds: 3, scoring: 'accuracy' },
    ...{ roundMs: 15_000, intermissionMs: 0, hostPlays: true, lateJoin: false },
  },
  players: [
    { userId: ADA, name: 'Ada', isHost: true, plays: true },
    { userId: BEN, name: 'Ben', isHost: false, plays: true },
  ],
  locked: false,
  gameId: GAME,
  createdAt: '2026-11-21T09:00:00.000Z',
};

/** Entries as the scripts append them: the event, and what only the service needs. */
const entry = (type: string, fields: object): LogEntry => ({
  ...{ seq: 7, mark: 'of number 7', previous: 'of number 6' },
  ...{ atMs: NOW_MS - 40, by: 'api-1f2e3d', type },
  ...fields,
});
const state = entry('lobby:state', { connected: [BEN], lobby: ROSTER });
const closed = entry('lobby:closed', { code: '7KQ2ZD', reason: 'host_left', leaverId: ADA });
const question = entry('game:question', {
  ...{ gameId: GAME, round: 2, totalRounds: 3, durationMs: 15_000, deadlineMs: NOW_MS + 9000 },
  question: {
    ...{
      questionId: QUESTION,
      prompt: 'house',
      gloss: 'a building to live in',
      commitment: 'to option 0',
    },
    options: ['casa', 'libro', 'gatto', 'strada'].map((text, optionId) => ({ optionId, text })),
  },
});
const SCORES = [
  { userId: BEN, name: 'Ben', score: 2 },
  { userId: ADA, name: 'Ada', score: 1 },
];
const result = entry('game:answer_result', {
  ...{ gameId: GAME, round: 2, questionId: QUESTION, correctOptionId: 0, reason: 'timeout' },
  ...{ nonce: 'of question 2', isLast: false, nextAtMs: NOW_MS + 5000 },
  answers: [{ userId: ADA, selectedOptionId: null, isCorrect: false, points: 0 }],
  scores: SCORES,
});
const finished = entry('game:finished', { gameId: GAME, scores: SCORES, winnerIds: [BEN] });
const EVENTS = [state, closed, question, result, finished];

describe('every event', () => {
  it('has exactly the contract’s fields', () => {
    for (const event of EVENTS) {
      const message = render(event, NOW_MS);
      expect(message, event.type).toEqual(ServerEvent.parse(message));
      expect(message).toMatchObject({ seq: 7, mark: 'of number 7' });
    }
  });

  it('says nothing of who left, who wrote it, or when', () => {
    for (const event of EVENTS) {
      const text = JSON.stringify(render(event, NOW_MS));
      for (const field of ['previous', 'by', 'atMs', 'leaverId', 'deadlineMs']) {
        expect(text).not.toContain(`"${field}"`);
      }
    }
  });

  it('is the same on every replica and at every time but for `remainingMs` and `nextInMs`', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...EVENTS),
        fc.nat({ max: 60_000 }),
        fc.nat({ max: 60_000 }),
        (event, one, other) => {
          const [first, second] = [one, other].map((lateMs) => {
            const {
              remainingMs: _,
              nextInMs: _in,
              ...rest
            } = {
              ...{ remainingMs: 0, nextInMs: 0 },
              ...render(event, NOW_MS + lateMs),
            };
            return rest;
          });
          expect(first).toEqual(second);
        },
      ),
      RUNS,
    );
  });
});

describe('lobby:state', () => {
  it('puts the players and who of them is connected together', () => {
    expect(render(state, NOW_MS)).toMatchObject({
      lobby: {
        players: [
          { userId: ADA, name: 'Ada', isHost: true, connected: false },
          { userId: BEN, name: 'Ben', isHost: false, connected: true },
        ],
      },
    });
  });
});

describe('game:question', () => {
  it('holds no correct option', () => {
    expect(Object.keys(render(question, NOW_MS)).toSorted()).toEqual(
      [
        ...['type', 'seq', 'mark', 'gameId', 'round', 'totalRounds', 'question'],
        ...['durationMs', 'remainingMs', 'deadline'],
      ].toSorted(),
    );
    expect(JSON.stringify(render(question, NOW_MS))).not.toMatch(/correct/i);
  });

  it('says what remains of the time at the moment of sending, never less than nothing nor more than all', () => {
    fc.assert(
      fc.property(fc.integer({ min: -20_000, max: 60_000 }), (afterMs) => {
        const message = render(question, NOW_MS + afterMs);
        expect(message).toMatchObject({
          remainingMs: Math.min(15_000, Math.max(0, 9000 - afterMs)),
          deadline: '2026-11-21T09:30:09.000Z',
        });
        ServerEvent.parse(message);
      }),
      RUNS,
    );
  });
});

describe('an event that is told as it happens', () => {
  /** As append-event.lua and `eventBody` write it. */
  const written = ({ seq, mark, previous, atMs, by, type, ...fields }: LogEntry): string => {
    const { deadlineMs, nextAtMs, ...rest } = fields;
    const added = { deadlineMs, nextAtMs };
    return JSON.stringify({ seq, mark, previous, atMs, ...added, by, type, ...rest });
  };
  const marks = { mark: '0123456789abcdef', previous: 'fedcba9876543210' };
  const anything = fc.string({ unit: 'binary' });

  it('says the same as one that is read from the log, whatever is in it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...EVENTS), anything, anything, (event, name, by) => {
        const scores = [{ userId: ADA, name, score: 1 }];
        const options = [{ optionId: 0, text: `","type":"${name}\u2028` }];
        const told = { question: { questionId: QUESTION, prompt: name, options } };
        const entry = { ...event, ...marks, by, ...('question' in event ? told : { scores }) };
        const live = readLive(written(entry));
        const message = render(entry, entry.atMs);
        expect(JSON.parse(live.told ?? JSON.stringify(message))).toEqual(message);
        expect(entry).toMatchObject(live.entry);
      }),
      RUNS,
    );
  });

  it('is not read whole where it is a question or a result', () => {
    for (const event of EVENTS)
      expect(readLive(written({ ...event, ...marks })).told !== undefined).toBe(
        event === question || event === result,
      );
  });
});

describe('a snapshot', () => {
  const live = { seq: 12, mark: 'of number 12', roster: ROSTER, connected: [ADA], closed: false };

  it('is lobby:state alone while the lobby waits', () => {
    const messages = renderSnapshot({ ...live, screen: null }, NOW_MS);
    expect(messages.map(({ type, seq }) => [type, seq])).toEqual([['lobby:state', 12]]);
  });

  it('is lobby:state, then the open question or the end of the game', () => {
    for (const screen of [question, finished]) {
      const messages = renderSnapshot({ ...live, screen }, NOW_MS);
      expect(messages.map(({ type }) => type)).toEqual(['lobby:state', screen.type]);
      for (const message of messages) expect(message).toEqual(ServerEvent.parse(message));
    }
  });

  it('carries number and mark of the last event that it contains, and the time that remains now', () => {
    const messages = renderSnapshot({ ...live, screen: question }, NOW_MS + 4000);
    for (const message of messages)
      expect(message).toMatchObject({ seq: 12, mark: 'of number 12' });
    expect(messages[1]).toMatchObject({ remainingMs: 5000 });
  });

  it('is nothing where Redis knows no lobby', () => {
    expect(renderSnapshot({ ...live, roster: null, screen: null }, NOW_MS)).toEqual([]);
  });
});
