// What somebody wants done to the service while it is being proved: a command, again and again.
import { spawn } from 'node:child_process';

export interface Meanwhile {
  runs: number;
  /** How each run that failed has ended, the last ones. */
  failures: string[];
  /** Starts no further one, and waits for the one that runs. */
  stop(): Promise<void>;
}

const FAILURES_MAX = 10;

/** @param command for the shell @param everyMs from start to start, unless it takes longer */
export function startMeanwhile(command: string | undefined, everyMs: number): Meanwhile {
  let running: Promise<void> | null = null;
  const meanwhile: Meanwhile = {
    ...{ runs: 0, failures: [] },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
  const timer = command === undefined ? undefined : setInterval(start, everyMs, command);

  function start(text: string): void {
    if (running) return;
    meanwhile.runs++;
    running = run(text).then((failure) => {
      running = null;
      if (failure === null) return;
      meanwhile.failures.push(failure);
      if (meanwhile.failures.length > FAILURES_MAX) meanwhile.failures.shift();
    });
  }
  return meanwhile;
}

/** @returns how it failed, if it did */
function run(command: string): Promise<string | null> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr?.on('data', (data) => {
    said = `${said}${data}`.slice(-500);
  });
  return new Promise((resolve) => {
    child.on('error', ({ message }) => resolve(message));
    child.on('close', (code, signal) => {
      resolve(code === 0 ? null : `${signal ?? `exit code ${code}`}: ${said.trim()}`);
    });
  });
}
