// One minimal version of Node.js, in every place that states it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const MINIMUM = '22.18';

test('the README and package.json name the same minimal version of Node.js', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  expect(readme).toContain(`Node.js (${MINIMUM} or later)`);
  expect(packageJson.engines.node).toBe(`>=${MINIMUM}`);
});
