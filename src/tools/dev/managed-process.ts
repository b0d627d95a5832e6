// Starts processes that this one can signal, stop and restart: programs, and PostgreSQL or Redis servers on a port. A
// guard process stops each of them when this process is killed.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './ports.ts';
import { printLine } from './reporter.ts';

/** The signal or the exit code with which a process has ended. */
type Ending = NodeJS.Signals | `exit ${number}`;

export interface ManagedProcess {
  readonly pid: number;
  /** Resolves when the process has ended, for any reason. */
  readonly exited: Promise<Ending>;
  running(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Sends the stop signal, and SIGKILL when the process has not ended in time. It may be called repeatedly. */
  stop(): Promise<void>;
}

/** The signal that asks a program to end, and how long that may take. */
interface StopPolicy {
  stopSignal: NodeJS.Signals;
  graceMs: number;
  /** The same when this process was killed, in s. */
  orphanGraceSeconds: number;
}

/**
 * Starts a program.
 * @returns the process, and Node.js' own object with its streams
 * @throws Error when the program can't be run
 */
export async function spawnManaged(
  [command, ...args]: [string, ...string[]],
  options: SpawnOptions,
  { stopSignal, graceMs, orphanGraceSeconds }: StopPolicy,
) {
  // The process has a session of its own, so that Ctrl-C in the terminal reaches the launcher alone, which then stops
  // everything in order.
  const child = spawn(command, args, { ...options, detached: true });
  const exited = new Promise<Ending>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit ${code as number}`));
  });
  await once(child, 'spawn').catch((error: Error) => {
    throw new Error(`${command} can't be run: ${error.message}`);
  });
  // Node.js also reports a signal that can't be sent as an error, which would end this process.
  child.on('error', () => undefined);
  const guard = guardAgainstOrphaning(child.pid as number, stopSignal, orphanGraceSeconds);
  void exited.then(() => guard?.kill('SIGKILL'));
  const running = () => child.exitCode === null && child.signalCode === null;

  async function stop(): Promise<void> {
    if (!running()) return;
    child.kill(stopSignal);
    // A stopped process handles a signal only after SIGCONT.
    child.kill('SIGCONT');
    const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await exited;
    clearTimeout(force);
  }

  const signal = (name: NodeJS.Signals) => void (running() && child.kill(name));
  const managed: ManagedProcess = { pid: child.pid as number, exited, running, signal, stop };
  return { managed, child };
}

const RESTART_DELAY_MS = 1_000;

/**
 * Starts a shell that stops a process when its own standard input closes. The kernel closes that pipe when this process
 * ends, also by SIGKILL, which leaves it no chance to stop the process itself.
 * @param orphanGraceSeconds how long the process may take to end then, before it is killed
 */
function guardAgainstOrphaning(
  pid: number,
  signal: NodeJS.Signals,
  orphanGraceSeconds: number,
): ChildProcess | undefined {
  if (platform() === 'win32') return undefined;
  // The loop ends with the process, whose pid another one may get later.
  const script = `read -r _; kill -${signal.slice(3)} "$1" && kill -CONT "$1"; left=$2
    while kill -0 "$1"; do [ "$left" -gt 0 ] || exec kill -KILL "$1"; sleep 1; left=$((left - 1)); done`;
  const guard = spawn('/bin/sh', ['-c', script, 'guard', String(pid), String(orphanGraceSeconds)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    detached: true,
  });
  guard.once('error', () => undefined);
  guard.stdin?.on('error', () => undefined);
  guard.unref();
  return guard;
}

export interface SupervisorEvents {
  /** Called when a process has started or ended, after which `pid` returns another value. */
  onChange(): void;
  /** Called when a process has ended without being told to, before it is started again. */
  onDied?(name: string, ending: Ending): void;
}

export interface Supervised<T extends ManagedProcess> {
  /** The process of the first start; later ones have the same address. */
  readonly first: T;
  /** Undefined while the process is down. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

/**
 * Starts a process, and restarts it whenever it ends without being told to: after a second, on the same port and with the
 * same data, so that its clients recover by reconnecting. [contract 9]
 * @param start starts the process; from the second call on it gets the process of the first start
 * @throws what the first start throws
 */
export async function supervise<T extends ManagedProcess>(
  name: string,
  start: (first?: T) => Promise<T>,
  { onChange, onDied }: SupervisorEvents,
): Promise<Supervised<T>> {
  const first = await start();
  let current: T | undefined = first;
  let stopping = false;

  async function watch(): Promise<void> {
    while (current && !stopping) {
      const ending = await current.exited;
      current = undefined;
      onChange();
      if (stopping) return;
      printLine(`${name} ended (${ending}), it is started again in a second.`);
      onDied?.(name, ending);
      await restart();
      onChange();
    }
  }

  async function restart(): Promise<void> {
    for (let failures = 0; !current; failures++) {
      await sleep(RESTART_DELAY_MS);
      if (stopping) return;
      try {
        current = await start(first);
        printLine(`${name} runs again, pid ${current.pid}.`);
      } catch (error) {
        // The first failure alone is printed, since the attempts may go on for long.
        if (failures === 0) printLine(`${name} can't be started again: ${(error as Error).message}`);
      }
    }
  }

  const watching = watch();
  return {
    first,
    pid: () => current?.pid,
    async stop() {
      stopping = true;
      await current?.stop();
      await watching;
      // A restart that was under way may have started another process.
      await current?.stop();
    },
  };
}

const STOP_MS = 20_000;
const START_TIMEOUT_MS = 60_000;
const PORT_ATTEMPTS = 10;
/** How long the remaining processes of a killed server may hold its data, ms. */
const RELEASE_MS = 10_000;
/** How many lines of a server's log an error message has. */
const LOG_TAIL_LINES = 12;

interface ServerCommand {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** The file for both outputs. It is emptied at each start, so that it can't grow without limit. */
  logFile: string;
  /** The user to run as, if this process may change to it. */
  user?: { uid: number; gid: number };
  /** The signal at which this server ends quickly and in an orderly way. */
  stopSignal: NodeJS.Signals;
}

/** A server program that listens on a port, and the lines of its log that explain a failed start. */
interface PortServer extends Omit<ServerCommand, 'args'> {
  name: string;
  args(port: number): string[];
  /** Whether the server with this pid answers on the port. */
  isReady(pid: number, port: number): boolean | Promise<boolean>;
  /** Matches the log when the port is taken. */
  portTaken: RegExp;
  /** Matches the log when processes of a killed server still hold the data, which passes. */
  stillHeld?: RegExp;
}

export interface RunningServer extends ManagedProcess {
  readonly port: number;
}

/**
 * Starts a server and waits until it answers.
 * @param wanted the port; a free one by default
 * @throws Error when it can't be started; the message has the end of its log
 */
export async function startServer(server: PortServer, wanted?: number): Promise<RunningServer> {
  const releasedBy = performance.now() + RELEASE_MS;
  for (let attempt = 1; ; ) {
    const port = wanted ?? (await freePort());
    const started = await spawnServer({ ...server, args: server.args(port) });
    const { pid, running } = started;
    const decided = () => !running() || server.isReady(pid, port);
    if ((await until(decided, START_TIMEOUT_MS)) && running()) return { ...started, port };
    await started.stop();
    const log = logTailOf(server.logFile);
    if (server.stillHeld?.test(log) && performance.now() < releasedBy) await sleep(100);
    else if (!server.portTaken.test(log)) throw new Error(`${server.name} did not start:\n${log}`);
    else if (wanted || ++attempt > PORT_ATTEMPTS) throw new Error(`${server.name}: port ${port} is taken.`);
  }
}

/** Starts the server without waiting until it is ready. @throws Error when the program can't be run */
export async function spawnServer(server: ServerCommand): Promise<ManagedProcess> {
  const { command, args, env, cwd, user, stopSignal, logFile } = server;
  const log = openSync(logFile, 'w', 0o600);
  const options = { cwd, env, ...user, stdio: ['ignore' as const, log, log] };
  const policy = { stopSignal, graceMs: STOP_MS, orphanGraceSeconds: STOP_MS / 1000 };
  const { managed } = await spawnManaged([command, ...args], options, policy).finally(() => closeSync(log));
  return managed;
}

function logTailOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
  } catch {
    return '(it left no log)';
  }
}

const POLL_MS = 10;

/** @returns whether the condition became true within `timeoutMs` */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  intervalMs = POLL_MS,
): Promise<boolean> {
  const giveUpAt = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) return false;
    await sleep(intervalMs);
  }
  return true;
}
