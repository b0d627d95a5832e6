// How long a command to Redis waits for its reply. [contract 8, 10]
import { Command } from 'ioredis';
import { expect, it } from 'vitest';
import { waitPatiently } from '../../src/platform/patient-timeout.ts';

waitPatiently();

const LIMIT_MS = 200;

function send(): Command {
  const command = new Command('get', ['a'], { replyEncoding: 'utf8' });
  command.setTimeout(LIMIT_MS);
  return command;
}

it('gives up a command that nobody answers, and no other', async () => {
  const [answered, unanswered, alsoUnanswered] = [send(), send(), send()];
  answered.resolve(Buffer.from('reply'));
  await expect(unanswered.promise).rejects.toThrow('Command timed out');
  await expect(alsoUnanswered.promise).rejects.toThrow('Command timed out');
  expect(await answered.promise).toBe('reply');
});

it('waits on for a reply that could not come while the event loop stood still', async () => {
  const command = send();
  const outcome = Promise.allSettled([command.promise]);
  const endMs = performance.now() + 5 * LIMIT_MS;
  while (performance.now() < endMs);
  // What would have sent it comes after all timers that are due.
  setImmediate(() => setImmediate(() => command.resolve(Buffer.from('reply'))));
  expect(await outcome).toEqual([{ status: 'fulfilled', value: 'reply' }]);
});

it('gives up at last, although it was the event loop that had stood still', async () => {
  const command = send();
  const endMs = performance.now() + 5 * LIMIT_MS;
  while (performance.now() < endMs);
  await expect(command.promise).rejects.toThrow('Command timed out');
});
