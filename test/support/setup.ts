// Runs in every test file: a test fails if it logs an unexpected error or leaves an unhandled rejection. A test that
// expects an error calls `vi.spyOn(console, 'error').mockImplementation(() => {})`, and asserts what was logged.
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeEach } from 'vitest';

const unexpected: string[] = [];

console.error = (...values: unknown[]) => {
  const text = values.map((value) => (typeof value === 'string' ? value : inspect(value)));
  unexpected.push(`console.error: ${text.join(' ')}`);
};

const onRejection = (reason: unknown) => {
  unexpected.push(`unhandled rejection: ${inspect(reason)}`);
};
process.on('unhandledRejection', onRejection);
// The next file in this process adds its own listener.
afterAll(() => void process.off('unhandledRejection', onRejection));

beforeEach(fail);
afterEach(fail);

/** @throws Error with all unexpected errors since the last call */
function fail(): void {
  const found = unexpected.splice(0);
  if (found.length > 0) throw new Error(found.join('\n'));
}
