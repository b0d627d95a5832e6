// Positions in a lobby's history, which its numbers and marks identify together. [contract 5.9, 16]
import { describe, expect, it } from 'vitest';
import { follows, isAt, type LogEntry, ORIGIN, positionOf } from '../../src/lobby/history.ts';

const AT_7 = { seq: 7, mark: 'a' };

describe('the position of a lobby', () => {
  it('is its last event', () => {
    expect(positionOf('7', 'a')).toEqual(AT_7);
  });

  it.each([
    [null, null],
    [undefined, undefined],
    ['7', null],
    [null, 'a'],
    ['', ''],
  ])('is the origin where the number or the mark is missing: %j, %j', (seq, mark) => {
    expect(positionOf(seq, mark)).toEqual({ seq: 0, mark: '0' });
  });
});

describe('two positions', () => {
  it.each([
    ['with the same number and mark are the same', AT_7, true],
    ['with another number are not', { seq: 8, mark: 'a' }, false],
    ['with another mark are not', { seq: 7, mark: 'b' }, false],
    ['are the same by the number where a client sent no mark', { seq: 7 }, true],
    ['of which the one without a mark has another number are not', { seq: 8 }, false],
  ])('%s', (_, other, isSame) => {
    expect(isAt(AT_7, other)).toBe(isSame);
  });

  it('of number 0 are the same with any marks', () => {
    expect(isAt(ORIGIN, { seq: 0, mark: 'a' })).toBe(true);
  });
});

describe('an event', () => {
  const entry: LogEntry = { seq: 8, mark: 'b', previous: 'a', atMs: 0, by: 'p', type: 'lobby:state' };

  it.each([
    ['follows the event whose mark it has', AT_7, true],
    ['follows a position without a mark by its number', { seq: 7 }, true],
    ['does not follow an event of another history', { seq: 7, mark: 'c' }, false],
    ['does not follow an event further back', { seq: 6, mark: 'a' }, false],
    ['does not follow itself', { seq: 8, mark: 'b' }, false],
  ])('%s', (_, cursor, isNext) => {
    expect(follows(entry, cursor)).toBe(isNext);
  });

  it('of number 1 follows the origin', () => {
    expect(follows({ ...entry, seq: 1, previous: ORIGIN.mark }, ORIGIN)).toBe(true);
  });
});
