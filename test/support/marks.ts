// Asserts the invariant of event marks over all messages that clients received of one lobby. [contract 16]
import { expect } from 'vitest';
import type { ServerEvent } from '../../src/realtime/schema.ts';

/**
 * Asserts that events and snapshots with one number have one mark for all clients, and other numbers others.
 */
export function expectSameMarks(histories: ServerEvent[][]): void {
  const marks = new Map<number, string>();
  for (const { seq, mark } of histories.flat()) {
    expect(mark.length).toBeLessThanOrEqual(16);
    expect([seq, marks.get(seq) ?? mark]).toEqual([seq, mark]);
    marks.set(seq, mark);
  }
  expect(new Set(marks.values()).size).toBe(marks.size);
}
