// The times that a run with rooms reports.
import { expect, it } from 'vitest';
import type { Received, Sent } from '../../src/tools/prove/history.ts';
import { resultTimes } from '../../src/tools/prove/play-room.ts';

const answer = (questionId: string, atMs: number) =>
  ({ message: { type: 'game:answer', questionId, optionId: 0 }, atMs }) as Sent;
const result = (questionId: string, atMs: number, reason = 'all_answered') =>
  ({ event: { type: 'game:answer_result', questionId, reason }, atMs, connection: 0 }) as Received;

it('a result is timed from the last answer of the round, whatever is sent again after it', () => {
  const quick = { sent: [answer('a', 100), answer('b', 900)], received: [result('a', 250)] };
  const cutOff = {
    sent: [answer('a', 200), answer('a', 700), answer('b', 800)],
    received: [result('a', 260), result('b', 1000, 'timeout')],
  };
  expect(resultTimes([quick, cutOff])).toEqual([50, 60]);
});
