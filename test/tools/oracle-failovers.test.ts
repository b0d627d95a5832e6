// After a failover the checker accepts that Redis has lost its last writes, and nothing more.
import { describe, expect, it } from 'vitest';
import {
  both,
  type Event,
  lobbyHistory as history,
  kindsOf,
  LOSSES,
  playedOnUnheard,
} from '../support/lobby-history.ts';

describe('a lobby’s history', () => {
  it('may go back after a failover if every client gets a snapshot', () => {
    const turned = (isTold: boolean) =>
      history(({ ann }) => {
        // Ann receives a third event that the failover loses, then a snapshot or none.
        const gone = { ...ann[0], seq: 3, mark: 'gone' };
        const snapshot = { ...ann[0], seq: 3, mark: 'mark 3' };
        delete gone.snapshot;
        ann.splice(2, 1, gone, ...(isTold ? [snapshot] : []));
      });
    expect(kindsOf(turned(true), LOSSES)).toEqual(new Set());
    expect(kindsOf(turned(false), LOSSES)).toEqual(new Set(['marks']));
  });

  it('may go back so that a question appears in snapshots only', () => {
    const turned = history(({ ann, ben }) => {
      for (const of of [ann, ben]) {
        const { snapshot: _, ...gone } = { ...of[0], seq: 2, mark: 'gone' };
        const [state, question] = of.slice(0, 2).map((event) => ({ ...event, snapshot: true }));
        const { seq, mark } = question as Event;
        of.splice(1, 1, gone, { ...state, seq, mark }, question);
      }
    });
    expect(kindsOf(turned, LOSSES)).toEqual(new Set());
    expect(kindsOf(turned)).toContain('game');
  });

  it('may go back so that the result of a round that is played on reaches nobody', () => {
    const turned = history(playedOnUnheard);
    expect(kindsOf(turned, LOSSES)).toEqual(new Set());
    expect(kindsOf(turned)).toContain('stored');
  });

  it('may go back to before a game whose end was sent and stored', () => {
    const turned = history(({ ann, ben }) => {
      for (const of of [ann, ben]) {
        const snapshot = { ...of[0], mark: 'turned' };
        const { snapshot: _, ...next } = { ...of[0], seq: 2, mark: 'next' };
        of.push(snapshot, next);
      }
    });
    expect(kindsOf(turned, LOSSES)).toEqual(new Set());
  });

  it('may go back to a state that appears in snapshots only', () => {
    const turned = history(({ ann, ben }) => {
      for (const of of [ann, ben]) {
        const [state] = of;
        const { snapshot: _, ...gone } = { ...state, seq: 2, mark: 'gone' };
        const later = of.splice(1).map((event) => ({ ...event, seq: event.seq + 2 }));
        of.push(gone, { ...state, mark: 'other' }, { ...state, seq: 3, mark: 'next' }, ...later);
      }
    });
    expect(kindsOf(turned, LOSSES)).toEqual(new Set());
    expect(kindsOf(turned)).toContain('numbers');
    const unheard = history(({ ann, ben }) => [ann, ben].map((of) => of.splice(2, 1)));
    expect(kindsOf(unheard, LOSSES)).toContain('numbers');
  });

  it('may go back to before a game’s end, which is then sent again', () => {
    const turned = history(({ ann, ben }) => {
      for (const of of [ann, ben]) of.push({ ...of[0], seq: 6, mark: 'turned' }, { ...of[5], seq: 7, mark: 'again' });
    });
    expect(kindsOf(turned, LOSSES)).toEqual(new Set());
    expect(kindsOf(turned)).toContain('game');
  });

  it('may go back and continue before the clients get a snapshot, but may not lose a round otherwise', () => {
    const turned = (snapshots: boolean) =>
      history(({ ann, ben, stored }) => {
        delete stored[0].rounds;
        for (const of of [ann, ben]) of.splice(2, 1, ...(snapshots ? [{ ...of[0], seq: 3, mark: 'turned' }] : []));
      });
    expect(kindsOf(turned(true), LOSSES)).toEqual(new Set());
    expect(kindsOf(turned(true))).toContain('game');
    expect(kindsOf(turned(false), LOSSES)).toContain('game');
  });

  it('may go back to a round that is judged again before the clients get a snapshot', () => {
    const turned = history(({ ann, ben }) => {
      const scores = ann[4].scores.map((score: object) => ({ ...score, score: 0 }));
      for (const of of [ann, ben]) {
        of.splice(3, 0, { ...of[0], seq: 4, mark: 'turned' });
        of[4].seq = 5;
        Object.assign(of[5], { seq: 6, scores });
        of[6].seq = 7;
      }
    });
    expect(kindsOf(turned, LOSSES)).not.toContain('game');
    expect(kindsOf(turned)).toContain('game');
  });

  it('may send a game’s end that was stored before a failover, and no other one', () => {
    const anew = history((of) => {
      const scores = of.ann[5].scores.map((score: object) => ({ ...score, score: 0 }));
      both(5, { scores, winnerIds: ['ann', 'ben'] })(of);
      Object.assign(of.stored[0], { scores, winnerIds: ['ann', 'ben'] });
    });
    expect(kindsOf(anew, LOSSES)).toEqual(new Set());
    expect(kindsOf(anew)).toEqual(new Set(['game']));
  });

  it('may go back while one client lags, so that others get a snapshot before its events', () => {
    const turned = history(({ ann, ben }) => {
      const { snapshot: _, ...gone } = { ...ann[0], seq: 3, mark: 'gone' };
      ann.splice(2, 0, gone);
      const [state, question] = [ben[0], ben[3]];
      ben.splice(2, 2, { ...state, seq: 4, mark: question.mark }, { ...question, snapshot: true });
    });
    expect(kindsOf(turned, LOSSES)).toEqual(new Set());
    expect(kindsOf(turned)).toContain('numbers');
  });

  it('may go back and ask a question again under a later number', () => {
    const turned = history(({ ann, ben }) => {
      for (const of of [ann, ben]) {
        const snapshot = [of[0], of[1]].map((event) => ({ ...event, snapshot: true, seq: 5, mark: 'turned' }));
        const again = of.slice(2).map((event) => ({ ...event, seq: event.seq + 3, mark: `again ${event.seq}` }));
        of.splice(4, 2, ...snapshot, ...again);
      }
    });
    expect(kindsOf(turned, LOSSES)).toEqual(new Set());
    expect(kindsOf(turned)).toContain('game');
  });
});
