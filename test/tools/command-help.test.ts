// Every command for people explains its use, and the README names the Node.js that they need. [contract 9]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { runCommand } from '../support/command.ts';

const COMMANDS = [
  'dev',
  'vocab',
  'operate',
  'inspect',
  'accounts',
  'prove',
  'bench',
  'chaos',
  'rehearse-restore',
  'db:deploy',
] as const;

it.concurrent.each(COMMANDS)(
  'npm run %s -- --help prints its use, without any setting, and exits with 0',
  async (name) => {
    const [program, ...args] = packageJson.scripts[name].replace(/^exec /, '').split(' ');
    expect(program).toBe('node');
    const { code, stdout, stderr } = await runCommand([...args, '--help'], {});
    expect(stderr).toBe('');
    expect(stdout).toContain(`npm run ${name}`);
    expect(code).toBe(0);
  },
);

it('the README and package.json name the same minimal version of Node.js', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const [, minimum] = /Node\.js \(([\d.]+) or later\)/.exec(readme) ?? [];
  expect(packageJson.engines.node).toBe(`>=${minimum}`);
});
