// The time limit of ioredis' commands, patient with ourselves: where the event loop has stood still,
// timers come before replies that have long arrived, and a slow turn of ours would be an outage of Redis.
// One timer looks at all commands under way: one for each would cost a fourth of what sending it does.
import { Command } from 'ioredis';

/** How often is looked, ms. */
const LOOK_MS = 50;
/** A look that comes so late tells of a loop that stood still. */
const LATE_MS = 50;

/** A command, and what is noted on it. */
interface Timed {
  isSettled: boolean;
  reject(error: Error): void;
  dueMs?: number;
  /** How much longer it may wait in all when it was the loop that was late. */
  patienceMs?: number;
}

/** In the order in which they were sent, which is nearly that in which they are settled. */
let waiting: Required<Timed>[] = [];
let timer: NodeJS.Timeout | undefined;

/** Replaces the time limit of all commands, with the message that ioredis has for it. */
export function waitPatiently(): void {
  Command.prototype.setTimeout = function setPatientTimeout(limitMs: number): void {
    const command = this as unknown as Timed;
    // It is sent again, over a new connection.
    if (command.dueMs !== undefined) return;
    while (waiting[0]?.isSettled) waiting.shift();
    waiting.push(
      Object.assign(command, { dueMs: performance.now() + limitMs, patienceMs: limitMs }),
    );
    if (!timer) timer = lookLater();
  };
}

function lookLater(): NodeJS.Timeout {
  const dueMs = performance.now() + LOOK_MS;
  return setTimeout(() => {
    const lateMs = performance.now() - dueMs;
    // After the turn's reading, which may bring the replies.
    setImmediate(() => {
      waiting = waiting.filter(({ isSettled }) => !isSettled);
      for (const command of waiting) {
        if (lateMs >= LATE_MS) prolong(command, lateMs);
        if (command.dueMs <= performance.now()) command.reject(new Error('Command timed out'));
      }
      timer = waiting.length > 0 ? lookLater() : undefined;
    });
  }, LOOK_MS);
}

function prolong(command: Required<Timed>, lateMs: number): void {
  const moreMs = Math.min(lateMs, command.patienceMs);
  command.patienceMs -= moreMs;
  if (moreMs > 0) command.dueMs = Math.max(command.dueMs, performance.now()) + moreMs;
}
