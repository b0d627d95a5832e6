// The time limit of ioredis' commands, patient with ourselves: where the event loop has stood still,
// timers come before replies that have long arrived, and a slow turn of ours would be an outage of Redis.
import { Command } from 'ioredis';

/** A timer that comes so late tells of a loop that stood still. */
const LATE_MS = 50;

/** What ioredis' own `setTimeout` works on, and clears when the command is settled. */
interface Timed {
  isSettled: boolean;
  reject(error: Error): void;
  _commandTimeoutTimer?: NodeJS.Timeout;
}

/** Replaces the time limit of all commands, with the message that ioredis has for it. */
export function waitPatiently(): void {
  Command.prototype.setTimeout = function setPatientTimeout(limitMs: number): void {
    const command = this as unknown as Timed;
    if (!command._commandTimeoutTimer) limit(command, limitMs, limitMs);
  };
}

/** @param extraMs how much longer to wait at most when it was the loop that was late */
function limit(command: Timed, limitMs: number, extraMs: number): void {
  const dueMs = performance.now() + limitMs;
  command._commandTimeoutTimer = setTimeout(() => {
    const lateMs = performance.now() - dueMs;
    // After the turn's reading, which may bring the reply.
    setImmediate(() => {
      if (command.isSettled) return;
      if (lateMs < LATE_MS || extraMs === 0) return command.reject(new Error('Command timed out'));
      limit(command, Math.min(lateMs, extraMs), 0);
    });
  }, limitMs);
}
