// Runs in every test file: a test that logs an error nobody expected, or leaves a rejected promise
// behind, has failed, whatever it asserted. A test that expects one says so with
// `vi.spyOn(console, 'error').mockImplementation(() => {})`, and asserts what was logged.
import { inspect } from 'node:util';
import { afterEach, beforeEach } from 'vitest';

const unexpected: string[] = [];

console.error = (...values: unknown[]) => {
  const text = values.map((value) => (typeof value === 'string' ? value : inspect(value)));
  unexpected.push(`console.error: ${text.join(' ')}`);
};

process.on('unhandledRejection', (reason) => {
  unexpected.push(`unhandled rejection: ${inspect(reason)}`);
});

beforeEach(fail);
afterEach(fail);

/** @throws Error with everything unexpected since the last call. */
function fail(): void {
  const found = unexpected.splice(0);
  if (found.length > 0) throw new Error(found.join('\n'));
}
