// One minimal version of Node.js, in every place that states it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { assertNodeVersion } from '../../src/tools/command.ts';

const MINIMUM = '22.18';

test('the README, package.json and the check at the start name the same minimal version of Node.js', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  expect(readme).toContain(`Node.js (${MINIMUM} or later)`);
  expect(packageJson.engines.node).toBe(`>=${MINIMUM}`);
  expect(() => assertNodeVersion(`${MINIMUM}.0`)).not.toThrow();
  expect(() => assertNodeVersion('22.17.9')).toThrow(`Node.js ${MINIMUM} or later is needed`);
});
