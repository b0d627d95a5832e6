// Positions in a lobby's history, which its numbers and marks identify together. [contract 5.9, 16]
import { expect, it } from 'vitest';
import { follows, isAt, type LogEntry, ORIGIN, positionOf } from '../../src/lobby/history.ts';

const AT_7 = { seq: 7, mark: 'a' };
const AT_0 = { seq: 0, mark: '0' };

it.each([
  ['7', 'a', AT_7],
  [null, null, AT_0],
  [undefined, undefined, AT_0],
  ['7', null, AT_0],
  [null, 'a', AT_0],
  ['', '', AT_0],
])('the position of a lobby is its last event, or the origin without one of: %j, %j', (seq, mark, position) => {
  expect(positionOf(seq, mark)).toEqual(position);
});

it.each([
  ['with the same number and mark are the same', AT_7, AT_7, true],
  ['with another number are not', AT_7, { seq: 8, mark: 'a' }, false],
  ['with another mark are not', AT_7, { seq: 7, mark: 'b' }, false],
  ['are the same by the number where a client sent no mark', AT_7, { seq: 7 }, true],
  ['of which the one without a mark has another number are not', AT_7, { seq: 8 }, false],
  ['of number 0 are the same with any marks', ORIGIN, { seq: 0, mark: 'a' }, true],
])('two positions %s', (_, one, other, isSame) => {
  expect(isAt(one, other)).toBe(isSame);
});

const entry: LogEntry = { seq: 8, mark: 'b', previous: 'a', atMs: 0, by: 'p', type: 'lobby:state' };
const first = { ...entry, seq: 1, previous: ORIGIN.mark };

it.each([
  ['follows the event whose mark it has', entry, AT_7, true],
  ['follows a position without a mark by its number', entry, { seq: 7 }, true],
  ['does not follow an event of another history', entry, { seq: 7, mark: 'c' }, false],
  ['does not follow an event further back', entry, { seq: 6, mark: 'a' }, false],
  ['does not follow itself', entry, { seq: 8, mark: 'b' }, false],
  ['of number 1 follows the origin', first, ORIGIN, true],
])('an event %s', (_, event, cursor, isNext) => {
  expect(follows(event, cursor)).toBe(isNext);
});
