// How the page derives its state from a lobby's events.
import { describe, expect, it } from 'vitest';
import type { LobbyMessage } from '../../src/client/live.ts';
import type { ServerEvent } from '../../src/realtime/schema.ts';
import { remainingMs } from '../../src/web/game/clock.ts';
import { EMPTY_STATE, nextState, phaseOf, playsIn, withoutTimes } from '../../src/web/game/game-state.ts';
import {
  ADA,
  BEN,
  finished,
  GAME,
  lobby,
  question,
  result,
  state,
  stateAfter,
  stateWithIntermissions,
} from '../support/game-events.ts';

describe('the screen', () => {
  it.each([
    ['loading', []],
    ['waiting', [state()]],
    ['round', [state(), question(1)]],
    ['judging', [state(), question(1), result(1)]],
    ['round', [state(), question(1), result(1), question(2)]],
    ['finished', [state(), question(3), result(3), finished]],
    ['finished', [state({ status: 'finished' }), finished]],
    ['judging', [state({ status: 'running', gameId: GAME })]],
    ['intermission', [stateWithIntermissions(), question(1), result(1, 5000)]],
    ['round', [stateWithIntermissions(), question(1), result(1, 5000), question(2)]],
    ['finished', [stateWithIntermissions(), question(3), result(3, 5000), finished]],
    ['closed', [state(), { type: 'lobby:kicked', code: 'ABC123' }]],
    ['closed', [state(), { type: 'lobby:closed', seq: 2, mark: '', code: 'ABC123', reason: 'host_left' }]],
  ] as [string, LobbyMessage[]][])('%s', (phase, events) => {
    expect(phaseOf(stateAfter(...events))).toBe(phase);
  });

  it('[contract 10] messages of the game set the lobby’s status', () => {
    expect(stateAfter(state(), question(1)).lobby).toMatchObject({ status: 'running', gameId: GAME });
    expect(stateAfter(state(), finished).lobby?.status).toBe('finished');
  });

  it('[contract 11] the state of a game is reset when its lobby is reopened', () => {
    const after = stateAfter(state(), question(3), result(3), finished, state());
    expect(phaseOf(after)).toBe('waiting');
    expect(after).toEqual({ ...EMPTY_STATE, lobby: lobby() });
    const next = nextState(after, question(1), 0);
    expect([phaseOf(next), next.scores, next.resolved]).toEqual(['round', [], []]);
  });

  it('[contract 11] the state of an old game is reset for a client that has missed the start of the next', () => {
    const before = stateAfter(state(), question(3), result(3), finished);
    const next = nextState(before, state({ status: 'running', gameId: 'another' }), 0);
    expect([phaseOf(next), next.scores, next.resolved]).toEqual(['judging', [], []]);
    const afterQuestion = nextState(before, { ...question(1), gameId: 'another' } as ServerEvent, 0);
    expect([phaseOf(afterQuestion), afterQuestion.winnerIds, afterQuestion.resolved]).toEqual(['round', null, []]);
  });

  it('[contract 11] the progress that a presenting host sees is that of the open round only', () => {
    const progress = (round: number): LobbyMessage => ({
      type: 'game:progress',
      gameId: GAME,
      round,
      answered: 3,
      awaited: 30,
    });
    expect(stateAfter(state(), question(1), progress(1)).progress).toEqual({ answered: 3, awaited: 30 });
    expect(stateAfter(state(), question(2), progress(1)).progress).toBeNull();
    expect(stateAfter(state(), question(1), progress(1), question(2)).progress).toBeNull();
  });

  it('[contract 11] a presenting host does not play, and everybody else does', () => {
    const member = { name: '', isHost: false, connected: true };
    const players = [
      { ...member, userId: ADA as string, plays: false },
      { ...member, userId: BEN as string, plays: true },
    ];
    expect([ADA, BEN].map((id) => playsIn(lobby({ players }), id as string))).toEqual([false, true]);
  });

  it('a change of the connected players does not change the round', () => {
    const before = stateAfter(state(), question(1));
    const next = nextState(before, state({ status: 'running', players: [] }), 5);
    expect(next.round).toBe(before.round);
  });
});

describe('the time of a round', () => {
  it('follows remainingMs, whatever the deadline and the local time', () => {
    const { round } = stateAfter(state(), [question(1, 9000), 1000]);
    expect(round?.countdown && remainingMs(round.countdown, 1000)).toBe(9000);
    expect(round?.countdown && remainingMs(round.countdown, 4000)).toBe(6000);
  });

  it('[contract 22] begins when the question can be answered; after a reload that is unknown at first', () => {
    const reading = { ...question(1, 20_000), opensInMs: 1500 } as LobbyMessage;
    const waiting = state({ settings: { ...lobby().settings, readMs: 1500 } });
    const after = stateAfter(waiting, [reading, 1000]);
    expect(after.round?.opensAtMs).toBe(2500);
    expect(withoutTimes(after).round?.opensAtMs).toBeNull();
    expect(withoutTimes(stateAfter(state(), question(1))).round?.opensAtMs).toBe(0);
  });

  it('is corrected by a snapshot of the same question', () => {
    const { round } = stateAfter(state(), [question(1, 9000), 1000], [question(1, 2000), 5000]);
    expect(round?.countdown && remainingMs(round.countdown, 5000)).toBe(2000);
  });

  it('is not stored over a reload', () => {
    const kept = withoutTimes(stateAfter(state(), question(1), result(1), question(2)));
    expect(kept.round).toMatchObject({ number: 2, countdown: null });
    expect(kept.revealUntilMs).toBe(0);
  });
});
