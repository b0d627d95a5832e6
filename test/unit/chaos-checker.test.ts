// The checker of the chaos runs catches what it is there for: a history is right, is doctored in one
// way, and is told apart.
import { describe, expect, it } from 'vitest';
import { checkLobby, type Terms } from '../../src/prove/checker/checker.ts';
import type { Client, LobbyHistory } from '../../src/prove/history.ts';
import { checkWaits } from '../chaos/check-waits.ts';
import { waitsOf } from '../chaos/waits.ts';
import { type Doctor, type Event, toldLobby as history } from '../support/told-lobby.ts';

const TERMS: Terms = { losses: [] };
const LOST: Terms = {
  losses: [{ what: 'lose-writes', fromMs: 0, toMs: 100_000 }],
};
const kindsOf = (of: LobbyHistory, terms = TERMS) =>
  new Set(checkLobby(of, terms).violations.map(({ kind }) => kind));

describe('a lobby’s history', () => {
  it('that is right gets no complaint', () => {
    expect(checkLobby(history(), TERMS)).toMatchObject({ violations: [], games: 1, rounds: 2 });
  });

  it.each<[string, string, Doctor]>([
    ['an event is missing', 'numbers', ({ ann }) => ann.splice(2, 1)],
    ['an event comes twice', 'numbers', ({ ann }) => ann.splice(2, 0, ann[2])],
    ['two events change places', 'numbers', ({ ann }) => ann.splice(1, 2, ann[2], ann[1])],
    ['nobody hears an event', 'numbers', ({ ann, ben }) => [ann, ben].map((of) => of.splice(3, 1))],
    ['two clients are told different things', 'same', ({ ann }) => (ann[2].reason = 'timeout')],
    ['a number has two marks', 'same', ({ ann }) => (ann[3].mark = 'another')],
    ['two events have one mark', 'same', ({ ann }) => (ann[3].mark = ann[2].mark)],
    ['a mark is missing', 'marks', ({ ann, ben }) => [ann, ben].map((of) => delete of[3].mark)],
    ['a mark is too long', 'marks', ({ ann, ben }) => both(ann, ben, 3, { mark: 'x'.repeat(17) })],
    ['a round is judged twice', 'game', ({ ann, ben }) => both(ann, ben, 4, { round: 1 })],
    [
      'a round ends too early',
      'game',
      ({ ann, ben }) => both(ann, ben, 4, { reason: 'all_answered' }),
    ],
    [
      'a score is wrong',
      'game',
      ({ ann, ben }) => both(ann, ben, 4, { scores: ann[2].scores.toReversed() }),
    ],
    ['another one wins', 'game', ({ ann, ben }) => both(ann, ben, 5, { winnerIds: ['ben'] })],
    ['a game has no end', 'game', ({ ann, ben }) => [ann, ben].map((of) => of.pop())],
    ['an answer that nobody gave counts', 'answers', ({ annSent }) => annSent.pop()],
    [
      'another answer counts than the one given',
      'answers',
      ({ annSent }) => (annSent[1].message.optionId = 2),
    ],
    [
      'a snapshot does not say that it is one',
      'numbers',
      ({ ann }) => ann.splice(2, 0, { ...ann[0], seq: 2, mark: 'mark 2', snapshot: undefined }),
    ],
    [
      'another option is right than was promised',
      'commitments',
      ({ ann, ben }) => both(ann, ben, 4, { correctOptionId: 2 }),
    ],
    [
      'a question has another commitment for somebody',
      'commitments',
      ({ ann }) => (ann[1].question.commitment = 'another'),
    ],
    [
      'nothing is promised',
      'commitments',
      ({ ann, ben }) => [ann, ben].map((of) => delete of[1].question.commitment),
    ],
    [
      'a row of right answers counts that was none',
      'game',
      ({ ann, ben }) => {
        const answers = [{ ...ann[2].answers[0], points: 101 }, ann[2].answers[1]];
        both(ann, ben, 2, { answers });
      },
    ],
    ['another round is stored', 'stored', ({ stored }) => (stored[0].rounds[1].answers = [])],
    ['a round is not stored', 'stored', ({ stored }) => stored[0].rounds.pop()],
    ['the result is not stored', 'stored', ({ stored }) => stored.pop()],
    ['another result is stored', 'stored', ({ stored }) => (stored[0].winnerIds = ['ben'])],
    [
      'a result is stored that nobody was told',
      'stored',
      ({ stored }) => stored.push({ ...stored[0], gameId: 'h' }),
    ],
    [
      'a message gets a 500',
      'failure',
      ({ annSent }) => (annSent[1].refusal = { code: 500, reason: 'INTERNAL_ERROR' }),
    ],
  ])('in which %s', (_what, kind, doctor) => {
    expect(kindsOf(history(doctor))).toContain(kind);
  });

  it('may sum up for one client what is on its way to all', () => {
    const summed = history(({ ann, ben }) => {
      // The question once more, as `game:ready` gets it.
      ann.splice(2, 0, { ...ann[1], remainingMs: 5, snapshot: true });
      // With the number of an event that is still to come, and of one that has just come.
      ann.splice(4, 0, { ...ann[1], seq: 4, mark: ann[4].mark, snapshot: true });
      ben.splice(6, 0, { ...ben[0], seq: 5, mark: ben[5].mark, snapshot: true });
    });
    expect(kindsOf(summed)).toEqual(new Set());
  });

  it('in which an answer that was taken is not judged', () => {
    const silent = history(({ ann, ben }) => {
      for (const of of [ann, ben]) {
        of[2].answers[0] = { userId: 'ann', selectedOptionId: null, isCorrect: false, points: 0 };
      }
    });
    expect(kindsOf(silent)).toContain('answers');
    expect(kindsOf(silent, LOST)).not.toContain('answers');
    expect(checkLobby(silent, LOST).cost.answers).toBe(1);
  });

  it('in which the last player has left between two rounds ends early', () => {
    const cutShort = history(({ ann, ben, annSent }) => {
      annSent.splice(2, 1);
      for (const of of [ann, ben]) {
        of.splice(3, 2);
        Object.assign(of[3], { seq: 4, mark: 'mark 4' });
      }
    });
    expect(kindsOf(cutShort)).toContain('game');
    expect(kindsOf({ ...cutShort, leaving: ['ann', 'ben'] })).not.toContain('game');
  });

  it('in which somebody joined and is no member', () => {
    expect(kindsOf({ ...history(), members: ['ann'] })).toEqual(new Set(['stored']));
  });

  it('may be turned back by a failover, if everybody is told', () => {
    const turned = (isTold: boolean) =>
      history(({ ann }) => {
        // Ann heard a third event that is no more; then she gets a snapshot, or does not.
        const gone = { ...ann[0], seq: 3, mark: 'gone' };
        const snapshot = { ...ann[0], seq: 3, mark: 'mark 3' };
        delete gone.snapshot;
        ann.splice(2, 1, gone, ...(isTold ? [snapshot] : []));
      });
    expect(kindsOf(turned(true), LOST)).toEqual(new Set());
    expect(kindsOf(turned(false), LOST)).toEqual(new Set(['marks']));
  });

  it('may be turned back so that a question is told in snapshots alone', () => {
    const turned = history(({ ann, ben }) => {
      for (const of of [ann, ben]) {
        const { snapshot: _, ...gone } = { ...of[0], seq: 2, mark: 'gone' };
        const [state, question] = of.slice(0, 2).map((event) => ({ ...event, snapshot: true }));
        const { seq, mark } = question as Event;
        of.splice(1, 1, gone, { ...state, seq, mark }, question);
      }
    });
    expect(kindsOf(turned, LOST)).toEqual(new Set());
    expect(kindsOf(turned)).toContain('game');
  });

  it('may be turned back behind a game whose end was told and is stored', () => {
    const turned = history(({ ann, ben }) => {
      for (const of of [ann, ben]) {
        const snapshot = { ...of[0], mark: 'turned' };
        const { snapshot: _, ...next } = { ...of[0], seq: 2, mark: 'next' };
        of.push(snapshot, next);
      }
    });
    expect(kindsOf(turned, LOST)).toEqual(new Set());
  });

  it('may be turned back to what snapshots alone tell', () => {
    const turned = history(({ ann, ben }) => {
      for (const of of [ann, ben]) {
        const [state] = of;
        const { snapshot: _, ...gone } = { ...state, seq: 2, mark: 'gone' };
        const later = of.splice(1).map((event) => ({ ...event, seq: event.seq + 2 }));
        of.push(gone, { ...state, mark: 'other' }, { ...state, seq: 3, mark: 'next' }, ...later);
      }
    });
    expect(kindsOf(turned, LOST)).toEqual(new Set());
    expect(kindsOf(turned)).toContain('numbers');
    const unheard = history(({ ann, ben }) => [ann, ben].map((of) => of.splice(2, 1)));
    expect(kindsOf(unheard, LOST)).toContain('numbers');
  });

  it('may be turned back to before an end that is told again', () => {
    const turned = history(({ ann, ben }) => {
      for (const of of [ann, ben])
        of.push({ ...of[0], seq: 6, mark: 'turned' }, { ...of[5], seq: 7, mark: 'again' });
    });
    expect(kindsOf(turned, LOST)).toEqual(new Set());
    expect(kindsOf(turned)).toContain('game');
  });

  it('may be turned back and go on before anybody is told, but not lose a round otherwise', () => {
    const turned = (snapshots: boolean) =>
      history(({ ann, ben, stored }) => {
        delete stored[0].rounds;
        for (const of of [ann, ben])
          of.splice(2, 1, ...(snapshots ? [{ ...of[0], seq: 3, mark: 'turned' }] : []));
      });
    expect(kindsOf(turned(true), LOST)).toEqual(new Set());
    expect(kindsOf(turned(true))).toContain('game');
    expect(kindsOf(turned(false), LOST)).toContain('game');
  });

  it('may be turned back to a round that is judged anew before anybody is told', () => {
    const turned = history(({ ann, ben }) => {
      const scores = ann[4].scores.map((score: object) => ({ ...score, score: 0 }));
      for (const of of [ann, ben]) {
        of.splice(3, 0, { ...of[0], seq: 4, mark: 'turned' });
        of[4].seq = 5;
        Object.assign(of[5], { seq: 6, scores });
        of[6].seq = 7;
      }
    });
    expect(kindsOf(turned, LOST)).not.toContain('game');
    expect(kindsOf(turned)).toContain('game');
  });

  it('may end with its host, and then has no members', () => {
    const closed = history(({ ann, ben }) => {
      for (const of of [ann, ben]) of.push({ type: 'lobby:closed', seq: 7, mark: 'mark 7' });
    });
    expect(kindsOf({ ...closed, members: [] })).toEqual(new Set());
    expect(kindsOf(closed)).toEqual(new Set(['stored']));
  });

  it('may tell an end that was stored before a failover, and no other one', () => {
    const anew = history(({ ann, ben, stored }) => {
      const scores = ann[5].scores.map((score: object) => ({ ...score, score: 0 }));
      both(ann, ben, 5, { scores, winnerIds: ['ann', 'ben'] });
      Object.assign(stored[0], { scores, winnerIds: ['ann', 'ben'] });
    });
    expect(kindsOf(anew, LOST)).toEqual(new Set());
    expect(kindsOf(anew)).toEqual(new Set(['game']));
  });
});

function both(ann: Event[], ben: Event[], index: number, change: object): void {
  for (const of of [ann, ben]) Object.assign(of[index], change);
}

describe('a wait', () => {
  const wait = { what: 'the end of round 1', lobbyId: 'l', fromMs: 10_000, toMs: 20_000 };
  const harm = (fromMs: number, toMs: number) => ({ what: 'hold-redis', fromMs, toMs });

  it('is too long when nothing was harmed for more than the limit', () => {
    expect(checkWaits([wait], [], 3000)).toHaveLength(1);
    expect(checkWaits([wait], [harm(12_000, 16_000)], 3000)).toHaveLength(1);
    expect(checkWaits([wait], [harm(0, 9000), harm(25_000, 30_000)], 3000)).toHaveLength(1);
  });

  it('is none of the service’s fault while something is', () => {
    expect(checkWaits([wait], [harm(9000, 18_000)], 3000)).toEqual([]);
    expect(checkWaits([wait], [harm(15_000, 19_000), harm(12_000, 16_000)], 3000)).toEqual([]);
    expect(checkWaits([{ ...wait, toMs: 12_000 }], [], 3000)).toEqual([]);
  });

  it('is read from what was heard', () => {
    const late = history();
    expect(waitsOf(late, 60_000)).toEqual([
      // Heard at 3 and 5 s; the deadlines were at 2 and 4 s.
    ]);
    const [ann, ben] = late.clients as [Client, Client];
    const stuck = { ...late, clients: [ann, { ...ben, received: ben.received.slice(0, 3) }] };
    expect(waitsOf(stuck, 60_000).map(({ what }) => what)).toEqual([
      'Ben for number 4',
      'Ben for number 5',
      'Ben for number 6',
    ]);
  });

  it('is none for the end of a round whose game was lost', () => {
    const waits = (state: object) => {
      const cut = history(({ ann, ben }) => {
        for (const of of [ann, ben]) of.splice(4, 2, { ...of[0], seq: 5, ...state });
      });
      return waitsOf(cut, 60_000).map(({ what }) => what);
    };
    expect(waits({ lobby: { status: 'running' } })).toEqual(['the end of round 2']);
    expect(waits({ lobby: { status: 'waiting' } })).toEqual([]);
  });

  it('is none of who was removed, and so hears nothing more', () => {
    const all = history();
    const [ann, ben] = all.clients as [Client, Client];
    const clients = [ann, { ...ben, received: ben.received.slice(0, 3) }];
    expect(waitsOf({ ...all, clients, kicked: [ben.user.id] }, 60_000)).toEqual([]);
  });
});
