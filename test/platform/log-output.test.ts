// Log lines at the end of a process, whatever reads its standard output. The test starts a process, since it
// has to end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const LOGGER = new URL('../../src/platform/observability/logger.ts', import.meta.url).href;
const KILLED_AFTER_MS = 30_000;

/** A program that logs `up`, waits for the end of its standard input, then runs `ending`. */
function start(ending: string) {
  const program = `
    const { createLogger } = await import(${JSON.stringify(LOGGER)});
    const logger = createLogger('info', 'test');
    process.stderr.write('up');
    process.stdin.once('end', () => { ${ending} }).resume();`;
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program];
  const child = spawn(process.execPath, flags, { timeout: KILLED_AFTER_MS, killSignal: 'SIGKILL' });
  return { child, exited: once(child, 'exit'), up: once(child.stderr, 'data') };
}

it('a process writes every line before it ends', async () => {
  const { child, exited, up } = start(
    `for (let i = 0; i < 500; i++) logger.info({ i, long: 'x'.repeat(i * 40) }, 'line');
       process.exit(3);`,
  );
  const output = text(child.stdout);
  await up;
  child.stdin.end();
  const lines = (await output).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).i)).toEqual(lines.map((_, i) => i));
  expect(lines).toHaveLength(500);
  expect(await exited).toEqual([3, null]);
});

it.each(['info', 'fatal'])('a process also ends if nothing reads its lines any more (%s)', async (level) => {
  const { child, exited, up } = start(`logger.${level}('nobody hears'); process.exit(3);`);
  await up;
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.end();
  expect(await exited).toEqual([3, null]);
});
