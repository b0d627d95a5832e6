// A server that this process starts, owns and stops: it must neither catch the terminal's Ctrl-C
// before its turn nor outlive us when we are killed without notice.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';

/** What to run. */
export interface ServerCommand {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Both outputs go here; emptied at each start, so it can't grow without limit. */
  logFile: string;
  /** The user to run as, when this process may change to it. */
  user?: { uid: number; gid: number };
  /** Asks this server to end quickly and in good order. */
  stopSignal: NodeJS.Signals;
}

/** A server while it runs. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the server has ended, whoever ended it. */
  readonly exited: Promise<void>;
  running(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Ends it in good order, by force after `graceMs`. Calling it again is harmless. */
  stop(graceMs?: number): Promise<void>;
  /** The last lines it wrote, for an error message. */
  lastWords(): string;
}

/**
 * Starts the server; it need not be ready when this returns.
 * @throws Error when it can't be started at all
 */
export async function spawnServer(options: ServerCommand): Promise<ServerProcess> {
  const log = openSync(options.logFile, 'w', 0o600);
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    ...options.user,
    // A session of its own: Ctrl-C in the terminal reaches the launcher alone, which then stops
    // everything in the right order.
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  await started(child, options.name);
  const pid = child.pid as number;
  const running = () => child.exitCode === null && child.signalCode === null;
  const guard = guardAgainstOrphaning(pid, options.stopSignal);
  void exited.then(() => guard?.kill('SIGKILL'));

  async function stop(graceMs = 20_000): Promise<void> {
    if (!running()) return;
    child.kill(options.stopSignal);
    // One that was paused can't act on a signal before it is let go on.
    child.kill('SIGCONT');
    const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await exited;
    clearTimeout(force);
  }

  return {
    pid,
    exited,
    running,
    signal: (signal) => void (running() && child.kill(signal)),
    stop,
    lastWords: () => lastLines(options.logFile),
  };
}

function started(child: ChildProcess, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new Error(`${name} can't be run: ${error.message}`)));
  });
}

/**
 * A shell that waits for a pipe from us to close. The kernel closes it when this process ends, in
 * whatever way; a SIGKILL leaves no other chance to clean up.
 */
function guardAgainstOrphaning(pid: number, signal: NodeJS.Signals): ChildProcess | undefined {
  if (platform() === 'win32') return undefined;
  const script = `read -r _; kill -${signal.slice(3)} "$1" && kill -CONT "$1"`;
  const guard = spawn('/bin/sh', ['-c', script, 'guard', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    detached: true,
  });
  guard.once('error', () => undefined);
  guard.stdin?.on('error', () => undefined);
  guard.unref();
  return guard;
}

function lastLines(file: string, count = 12): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '(it left no log)';
  }
}
