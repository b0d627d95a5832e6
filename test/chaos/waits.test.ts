// Checks how long clients of a chaos run have waited while there was no fault.
import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/tools/prove/history.ts';
import { lobbyHistory as history } from '../support/lobby-history.ts';
import { checkWaits, waitsOf } from './waits.ts';

describe('a wait', () => {
  const wait = { what: 'the end of round 1', lobbyId: 'l', code: 'CODE', fromMs: 10_000, toMs: 20_000 };
  const harm = (fromMs: number, toMs: number) => ({ what: 'hold-redis', fromMs, toMs });

  it('is too long if it exceeds the limit by time without faults', () => {
    expect(checkWaits([wait], [], 3000)).toHaveLength(1);
    expect(checkWaits([wait], [harm(12_000, 16_000)], 3000)).toHaveLength(1);
    expect(checkWaits([wait], [harm(0, 9000), harm(25_000, 30_000)], 3000)).toHaveLength(1);
  });

  it('is excused while a fault lasts', () => {
    expect(checkWaits([wait], [harm(9000, 18_000)], 3000)).toEqual([]);
    expect(checkWaits([wait], [harm(15_000, 19_000), harm(12_000, 16_000)], 3000)).toEqual([]);
    expect(checkWaits([{ ...wait, toMs: 12_000 }], [], 3000)).toEqual([]);
  });

  it('is read from the received events', () => {
    const late = history();
    expect(waitsOf(late, 60_000)).toEqual([
      // The events were received at 3 and 5 s; the deadlines were at 2 and 4 s.
    ]);
    const [ann, ben] = late.clients as [Client, Client];
    const stuck = { ...late, clients: [ann, { ...ben, received: ben.received.slice(0, 3) }] };
    expect(waitsOf(stuck, 60_000).map(({ what }) => what)).toEqual([
      'Ben for number 4',
      'Ben for number 5',
      'Ben for number 6',
    ]);
  });

  it('is not counted for the end of a round whose game was lost', () => {
    const waits = (state: object) => {
      const cut = history(({ ann, ben }) => {
        for (const of of [ann, ben]) of.splice(4, 2, { ...of[0], seq: 5, ...state });
      });
      return waitsOf(cut, 60_000).map(({ what }) => what);
    };
    expect(waits({ lobby: { status: 'running' } })).toEqual(['the end of round 2']);
    expect(waits({ lobby: { status: 'waiting' } })).toEqual([]);
  });

  it.each([
    ['the same question', 'q2'],
    ['another question', 'q3'],
  ])('for the end of a lost round is over when it is asked anew with %s', (_, questionId) => {
    const lost = history(({ ann, ben }) => {
      for (const events of [ann, ben]) {
        const [state, question] = [events[0], events[3]];
        const position = { seq: 5, mark: 'other', snapshot: true };
        const anew = { questionId, deadline: new Date(7000).toISOString() };
        const snapshot = [
          { ...state, ...position, lobby: { status: 'running' } },
          { ...question, ...position, ...anew, question: { ...question.question, ...anew } },
        ];
        events.splice(4, 0, ...snapshot);
      }
    });
    expect(waitsOf(lost, 60_000)).toEqual([{ ...wait, what: 'the end of round 2', fromMs: 4000, toMs: 6000 }]);
  });

  it('is not counted for a removed player, who receives nothing more', () => {
    const all = history();
    const [ann, ben] = all.clients as [Client, Client];
    const clients = [ann, { ...ben, received: ben.received.slice(0, 3) }];
    expect(waitsOf({ ...all, clients, kicked: [ben.user.id] }, 60_000)).toEqual([]);
  });
});
