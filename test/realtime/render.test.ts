// The messages that clients receive of an event: exactly the contract's fields, equal on every replica except
// for the remaining time. [contract 5, 5.9, 5.10, 16]
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../src/lobby/history.ts';
import { LOBBY_EXAMPLE, type Roster } from '../../src/lobby/schema.ts';
import { type Message, renderMessage, renderSnapshot } from '../../src/realtime/render.ts';
import { ServerEvent } from '../../src/realtime/schema.ts';

const RUNS = { numRuns: 500, seed: 20_261_121 };
const NOW_MS = Date.parse('2026-11-21T09:30:00.000Z');
const ADA = '5b5f3c0e-3a5e-4c8e-9a52-0d6d1f3c7a01';
const BEN = '5b5f3c0e-3a5e-4c8e-9a52-0d6d1f3c7a02';
const GAME = '5b5f3c0e-3a5e-4c8e-9a52-0d6d1f3c7a03';
const QUESTION = '5b5f3c0e-3a5e-4c8e-9a52-0d6d1f3c7a04';

const ROSTER: Roster = {
  ...LOBBY_EXAMPLE,
  status: 'running',
  hostId: ADA,
  players: [
    { userId: ADA, name: 'Ada', isHost: true, plays: true },
    { userId: BEN, name: 'Ben', isHost: false, plays: true },
  ],
  gameId: GAME,
};

/** Entries as the scripts append them: the event, and fields that only the service needs. */
const entry = (type: string, fields: object): LogEntry => ({
  seq: 7,
  mark: 'of number 7',
  previous: 'of number 6',
  atMs: NOW_MS - 40,
  by: 'api-1f2e3d',
  type,
  ...fields,
});
const state = entry('lobby:state', { connected: [BEN], lobby: ROSTER });
const closed = entry('lobby:closed', { code: '7KQ2ZD', reason: 'host_left', leaverId: ADA });
const question = entry('game:question', {
  gameId: GAME,
  round: 2,
  totalRounds: 3,
  durationMs: 15_000,
  deadlineMs: NOW_MS + 9000,
  question: {
    questionId: QUESTION,
    prompt: 'house',
    gloss: 'a building to live in',
    commitment: 'to option 0',
    options: ['casa', 'libro', 'gatto', 'strada'].map((text, optionId) => ({ optionId, text })),
  },
});
const SCORES = [
  { userId: BEN, name: 'Ben', score: 2 },
  { userId: ADA, name: 'Ada', score: 1 },
];
const result = entry('game:answer_result', {
  gameId: GAME,
  round: 2,
  questionId: QUESTION,
  correctOptionId: 0,
  reason: 'timeout',
  nonce: 'of question 2',
  isLast: false,
  nextAtMs: NOW_MS + 5000,
  answers: [{ userId: ADA, selectedOptionId: null, isCorrect: false, points: 0 }],
  scores: SCORES,
});
const finished = entry('game:finished', { gameId: GAME, scores: SCORES, winnerIds: [BEN] });
const EVENTS = [state, closed, question, result, finished];

/** @returns the message as a user gets it */
const read = (message: Message, userId = ADA) =>
  JSON.parse(message.textFor({ userId, userName: '' }).toString()) as ServerEvent;
const render = (event: LogEntry, nowMs: number) => read(renderMessage(event, nowMs));

describe('every event', () => {
  it('has exactly the contract’s fields', () => {
    for (const event of EVENTS) {
      const message = render(event, NOW_MS);
      expect(message, event.type).toEqual(ServerEvent.parse(message));
      expect(message).toMatchObject({ seq: 7, mark: 'of number 7' });
    }
  });

  it('is equal on every replica and at every time except for `remainingMs` and `nextInMs`', () => {
    fc.assert(
      fc.property(fc.constantFrom(...EVENTS), fc.nat({ max: 60_000 }), fc.nat({ max: 60_000 }), (event, one, other) => {
        const renderAfter = (ms: number) => ({ ...render(event, NOW_MS + ms), remainingMs: 0, nextInMs: 0 });
        expect(renderAfter(one)).toEqual(renderAfter(other));
      }),
      RUNS,
    );
  });
});

it('game:question has the remaining time at the moment of sending, between zero and the round’s duration', () => {
  fc.assert(
    fc.property(fc.integer({ min: -20_000, max: 60_000 }), (afterMs) => {
      const message = ServerEvent.parse(render(question, NOW_MS + afterMs));
      const remainingMs = Math.min(15_000, Math.max(0, 9000 - afterMs));
      expect(message).toMatchObject({ remainingMs, deadline: '2026-11-21T09:30:09.000Z' });
    }),
    RUNS,
  );
});

it('in a compact lobby each player gets the host and the own name, and no text is longer than announced [contract 19]', () => {
  const name = '\u{1F9D1}'.repeat(200);
  const players = ROSTER.players.slice(0, 1).map((player) => ({ ...player, name }));
  const lobby = { ...ROSTER, capacity: 1000, players };
  const counts = { playerCount: 2, connectedCount: 1, hostConnected: 0, version: 3 };
  const message = renderMessage(entry('lobby:state', { lobby, ...counts }), NOW_MS);
  for (const [userId, ids] of Object.entries({ [ADA]: [ADA], [BEN]: [ADA, BEN] })) {
    const shown = read(message, userId) as Extract<ServerEvent, { type: 'lobby:state' }>;
    expect(shown.lobby.players.map((player) => player.userId)).toEqual(ids);
    expect(shown).toEqual(ServerEvent.parse(shown));
    expect(shown.lobby).toMatchObject({ compact: true, playerCount: 2, connectedCount: 1 });
    expect(shown.lobby.players[0]?.connected).toBe(false);
    expect(message.textFor({ userId, userName: name }).length).toBeLessThanOrEqual(message.maxBytes);
  }
});

it('a question that cannot be answered yet says in how many ms it can. [contract 22]', () => {
  const times = { durationMs: 15_000, opensAtMs: NOW_MS + 2000, deadlineMs: NOW_MS + 17_000 };
  const standing = { ...question, ...times };
  for (const [afterMs, opensInMs, remainingMs] of [
    [0, 2000, 17_000],
    [1500, 500, 15_500],
    [2500, 0, 14_500],
    [20_000, 0, 0],
  ] as const)
    expect(render(standing, NOW_MS + afterMs)).toMatchObject({ opensInMs, remainingMs });
});

describe('a snapshot', () => {
  const live = { seq: 12, mark: 'of number 12', roster: ROSTER, connected: [ADA], closed: false, given: new Map() };
  const snapshotOf = (snapshot: LogEntry) =>
    renderSnapshot({ ...live, snapshot }, NOW_MS + 4000).map((message) => read(message));

  it('is lobby:state, then the open question or the end of the game, with the last event’s number and mark and the current time', () => {
    for (const shown of [question, finished]) {
      const messages = snapshotOf(shown);
      expect(messages.map(({ type }) => type)).toEqual(['lobby:state', shown.type]);
      for (const message of messages) {
        expect(message).toEqual(ServerEvent.parse(message));
        expect(message).toMatchObject({ seq: 12, mark: 'of number 12' });
      }
    }
    expect(snapshotOf(question)[1]).toMatchObject({ remainingMs: 5000 });
  });

  it('is empty if Redis has no data of the lobby', () => {
    expect(renderSnapshot({ ...live, roster: null, snapshot: null }, NOW_MS)).toEqual([]);
  });
});
