// `npm run vocab` as a process of its own, with nothing of the test's environment but what is given.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface CommandOutcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * @param args such as `['import', file]`
 * @param env what it finds in the environment
 * @param nodeOptions such as a limit of memory
 */
export async function runVocab(
  args: string[],
  env: NodeJS.ProcessEnv,
  nodeOptions: string[] = [],
): Promise<CommandOutcome> {
  const child = spawn(process.execPath, [...nodeOptions, 'src/vocabulary/cli.ts', ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([
    closed,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}
