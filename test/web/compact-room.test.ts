// How the page shows a compact lobby, whose messages name the host, the receiver and the ten best. [contract 19]
import { expect, it } from 'vitest';
import type { Lobby } from '../../src/lobby/schema.ts';
import { playersIn } from '../../src/web/game/game-state.ts';
import { rankScores } from '../../src/web/game/ranking.ts';
import { ADA, BEN, finished, lobby, question, result, scores, state, stateAfter } from '../support/game-events.ts';

const HOST = { userId: 'host', name: 'Host', isHost: true, plays: false, connected: true };
const OWN = { userId: 'cleo', name: 'Cleo', isHost: false, plays: true, connected: true };

const compact: Partial<Lobby> = {
  hostId: HOST.userId,
  compact: true,
  players: [HOST, OWN],
  playerCount: 301,
  connectedCount: 280,
  settings: { ...lobby().settings, hostPlays: false, compact: true },
};
const counts = { options: [40, 0, 200, 20], none: 40, correct: 200 };
const you = { selectedOptionId: 0, isCorrect: false, points: 0, score: 0, rank: 201 };
const judged = result(1, 0, { answers: undefined, counts, you });

it('a result has the own answer, the numbers of all answers, and the own place below the ten best', () => {
  const { resolved, scores: shown } = stateAfter(state(compact), question(1), judged);
  expect(resolved[0]).toMatchObject({ counts, answers: [{ userId: OWN.userId, points: 0 }] });
  expect(rankScores(shown).map(({ userId, place }) => [userId, place])).toEqual([
    [ADA, 1],
    [BEN, 2],
    [OWN.userId, 201],
  ]);
  expect(playersIn(shown, lobby(compact))).toBe(300);
});

it('the own score is listed once if it is among the ten best', () => {
  const best = [{ userId: OWN.userId, name: OWN.name, score: 2 }, ...scores];
  const first = { ...you, rank: 1, score: 2 };
  const shown = stateAfter(state(compact), question(1), { ...judged, scores: best, you: first } as typeof judged);
  expect(rankScores(shown.scores).map(({ place }) => place)).toEqual([1, 2, 3]);
});

it('the end has the own place', () => {
  const end = { ...finished, you: { score: 0, correct: 0, rank: 150 }, winnerCount: 30 };
  const { scores: shown } = stateAfter(state(compact), end as typeof finished);
  expect(shown.at(-1)).toMatchObject({ userId: OWN.userId, place: 150 });
});

it('a host who presents has no own place', () => {
  const presenting = state({ ...compact, players: [HOST] });
  const shown = stateAfter(presenting, question(1), { ...judged, you: undefined } as typeof judged);
  expect(shown.scores).toEqual(scores);
  expect(shown.resolved[0]?.answers).toEqual([]);
});

it('a result that is sent after a reload has its question', () => {
  const asked = { questionId: 'q1', prompt: 'house', options: [], commitment: '' };
  const { resolved } = stateAfter(state(), result(1, 1000, { snapshot: true, question: asked }));
  expect(resolved[0]?.question).toMatchObject({ prompt: 'house' });
});
