// Runs the operator's command (`--while`) again and again during a run, for example one that kills pods.
import { spawn } from 'node:child_process';

export interface RepeatedCommand {
  runs: number;
  /** The exit code and output of the last failed runs. */
  failures: string[];
  /** Starts no further run, and waits for the current one. */
  stop(): Promise<void>;
}

/** The number of failures that are kept; older ones are dropped. */
const FAILURES_MAX = 10;

/**
 * Runs a shell command again and again.
 * @param everyMs the interval between two starts, ms; a start is skipped while the command still runs
 */
export function startRepeatedCommand(command: string | undefined, everyMs: number): RepeatedCommand {
  let running: Promise<void> | null = null;
  const meanwhile: RepeatedCommand = {
    runs: 0,
    failures: [],
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

/** @returns a description of the failure, or null */
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
