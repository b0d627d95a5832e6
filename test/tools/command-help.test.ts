// Every command for people explains its use. [contract 9]
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
