// What must hold of marks in whatever clients were told of one lobby. [contract 16]
import { expect } from 'vitest';
import type { ServerEvent } from '../../src/realtime/schema.ts';

/** For all who see it, in events and snapshots, a number has the same mark, and no other number has. */
export function expectSameMarks(histories: ServerEvent[][]): void {
  const marks = new Map<number, string>();
  for (const { seq, mark } of histories.flat()) {
    expect(mark.length).toBeLessThanOrEqual(16);
    expect([seq, marks.get(seq) ?? mark]).toEqual([seq, mark]);
    marks.set(seq, mark);
  }
  expect(new Set(marks.values()).size).toBe(marks.size);
}
