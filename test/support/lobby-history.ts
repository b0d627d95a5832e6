// The history of a lobby of two players without any violation. Tests of the checker change one part of it.
import { type CheckOptions, checkLobby } from '../../src/tools/prove/checker/checker.ts';
import type { Client, LobbyHistory } from '../../src/tools/prove/history.ts';

export const NO_LOSSES: CheckOptions = {};
/** Redis may have lost its last writes at any time. */
export const LOSSES: CheckOptions = { losses: [{ what: 'lose-writes', fromMs: 0, toMs: 100_000 }] };

/** @returns the kinds of the violations that the checker finds in a history */
export const kindsOf = (of: LobbyHistory, terms = NO_LOSSES) =>
  new Set(checkLobby(of, terms).violations.map(({ kind }) => kind));

const OPTIONS = ['uno', 'due', 'tre', 'quattro'].map((text, optionId) => ({ optionId, text }));
const NONCE = 'nonce';

// biome-ignore lint/suspicious/noExplicitAny: tests change any field
export type Event = any;

/** @returns the events of two rounds, in which one player answers correctly once */
function events(): Event[] {
  const lobby = { lobbyId: 'l', status: 'waiting', players: [], settings: { rounds: 2 } };
  const scores = [
    { userId: 'ann', name: 'Ann', score: 1 },
    { userId: 'ben', name: 'Ben', score: 0 },
  ];
  const judged = (userId: string, selectedOptionId: number | null, isCorrect = false) => {
    return { userId, selectedOptionId, isCorrect, points: Number(isCorrect) };
  };
  const round = (number: number) => {
    const questionId = `q${number}`;
    const question = { prompt: `word ${number}`, options: OPTIONS, questionId, commitment: `commitment ${number}` };
    const place = { gameId: 'g', round: number, totalRounds: 2, deadline: new Date(number * 2000).toISOString() };
    return { ...place, questionId, correctOptionId: 1, nonce: NONCE, question };
  };
  const result = (number: number, reason: string, ...answers: object[]) => {
    return { ...round(number), reason, answers, scores, isLast: number === 2, nextInMs: 0 };
  };
  return [
    { type: 'lobby:state', snapshot: true, lobby },
    { type: 'game:question', ...round(1) },
    { type: 'game:answer_result', ...result(1, 'all_answered', judged('ann', 1, true), judged('ben', 3)) },
    { type: 'game:question', ...round(2) },
    { type: 'game:answer_result', ...result(2, 'timeout', judged('ann', 0), judged('ben', null)) },
    { type: 'game:finished', gameId: 'g', scores, winnerIds: ['ann'] },
  ].map((event, index) => structuredClone({ ...event, seq: index + 1, mark: `mark ${index + 1}` }));
}

/** Changes what clients received or sent, or the stored games. */
export type HistoryChange = (history: { ann: Event[]; ben: Event[]; annSent: Event[]; stored: Event[] }) => void;

/** @returns the history with a change */
export function lobbyHistory(change: HistoryChange = () => {}): LobbyHistory {
  const [ann, ben] = [events(), events()];
  const acked = (atMs: number, message: object) => ({ message, atMs, connection: 0, refusal: null, replies: ['ack'] });
  const answer = (questionId: string, optionId: number) => acked(1500, { type: 'game:answer', questionId, optionId });
  const join = acked(0, { type: 'lobby:join' });
  const annSent: Event[] = [join, answer('q1', 1), answer('q2', 0)];
  const scores = ann[5].scores.map((score: object) => ({ ...score, correct: 0 }));
  const rounds = [ann[2], ann[4]].map((result) => structuredClone(result));
  const finishedAt = new Date(5000).toISOString();
  const stored: Event[] = [{ gameId: 'g', scores, winnerIds: ['ann'], finishedAt, rounds }];
  change({ ann, ben, annSent, stored });
  const client = (id: string, name: string, receivedEvents: Event[], sent: Event[]): Client => ({
    user: { id, name },
    received: receivedEvents.map((event, index) => ({ event, atMs: 1000 * (index + 1), connection: 0 })),
    asides: [],
    sent,
    connections: [{ wantedAtMs: 0, openedAtMs: 10, closedAtMs: 60_000 }],
    failure: null,
  });
  return {
    lobbyId: 'l',
    code: 'CODE',
    settings: { scoring: 'accuracy' },
    words: null,
    stored,
    clients: [client('ann', 'Ann', ann, annSent), client('ben', 'Ben', ben, [join, answer('q1', 3)])],
    joins: ['ann', 'ben'].map((userId) => ({ userId, fromMs: 0, toMs: 0, refusal: null })),
    members: ['ann', 'ben'],
    leaving: [],
    kicked: [],
  };
}

/**
 * A failover loses the end of the first round, which is played on and ends otherwise. Both clients get only a snapshot
 * of the second question afterwards, so that nobody receives the result that is stored.
 */
export const playedOnUnheard: HistoryChange = ({ ann, ben, stored }) => {
  for (const events of [ann, ben]) {
    const [state, question] = [events[0], events[3]];
    const position = { seq: 4, mark: 'turned', snapshot: true };
    events.splice(4, 0, { ...state, ...position }, { ...question, ...position });
  }
  const [round] = stored[0].rounds;
  round.reason = 'timeout';
  Object.assign(round.answers[1], { selectedOptionId: null });
};

/** @returns the change of the same event of both players, by fields that it gets or by a function */
export function both(index: number, change: object | ((event: Event) => unknown)): HistoryChange {
  return ({ ann, ben }) => {
    for (const events of [ann, ben])
      if (typeof change === 'function') change(events[index]);
      else Object.assign(events[index], change);
  };
}
