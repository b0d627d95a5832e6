// Starts processes that this one can signal, stop and restart: programs, and PostgreSQL or Redis servers on a port. A
// guard process stops each of them when this process is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './ports.ts';

/** A process that has not ended this many ms after its stop signal is killed; the programs give themselves 25 s. */
const STOP_TIMEOUT_MS = 27_000;
/** The same when this process was killed, s. It is short, since a program's stores are stopping too. */
const ORPHAN_GRACE_SECONDS = 5;

interface ProcessSpec {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** The user to run as, if this process may change to it. */
  user?: { uid: number; gid: number } | undefined;
  /** The file for both outputs, which is emptied first, so that it can't grow without limit. Pipes by default. */
  logFile?: string;
  /** The signal at which the program ends in an orderly way; SIGTERM by default. */
  stopSignal?: NodeJS.Signals;
}

export type ManagedProcess = Awaited<ReturnType<typeof spawnManaged>>;

/** Starts a program. @throws Error when it can't be run */
export async function spawnManaged(spec: ProcessSpec) {
  const { command, args, env, cwd, user, logFile, stopSignal = 'SIGTERM' } = spec;
  const output = logFile ? openSync(logFile, 'w', 0o600) : 'pipe';
  // The process has a session of its own, so that Ctrl-C in the terminal reaches the launcher alone, which then stops
  // everything in order.
  const child = spawn(command, args, { cwd, env, ...user, stdio: ['ignore', output, output], detached: true });
  if (typeof output === 'number') closeSync(output);
  /** Resolves when the process has ended, for any reason, with the signal or the exit code. */
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`));
  });
  await once(child, 'spawn').catch((error: Error) => {
    throw new Error(`${command} can't be run: ${error.message}`);
  });
  // Node.js also reports a signal that can't be sent as an error, which would end this process.
  child.on('error', () => undefined);
  const pid = child.pid as number;
  const guard = guardAgainstOrphaning(pid, stopSignal);
  void exited.then(() => guard.kill('SIGKILL'));
  const running = () => child.exitCode === null && child.signalCode === null;
  return {
    pid,
    exited,
    running,
    outputs: [child.stdout, child.stderr],
    signal: (name: NodeJS.Signals) => void (running() && child.kill(name)),
    /** Sends the stop signal, and SIGKILL when the process has not ended in time. It may be called repeatedly. */
    async stop(): Promise<void> {
      if (!running()) return;
      child.kill(stopSignal);
      // A stopped process handles a signal only after SIGCONT.
      child.kill('SIGCONT');
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(force);
    },
  };
}

/**
 * Starts a shell that stops a process when its own standard input closes. The kernel closes that pipe when this process
 * ends, also by SIGKILL, which leaves it no chance to stop the process itself.
 */
function guardAgainstOrphaning(pid: number, signal: NodeJS.Signals) {
  // The loop ends with the process, whose pid another one may get later.
  const script = `read -r _; kill -${signal.slice(3)} "$1" && kill -CONT "$1"; left=$2
    while kill -0 "$1"; do [ "$left" -gt 0 ] || exec kill -KILL "$1"; sleep 1; left=$((left - 1)); done`;
  const guard = spawn('/bin/sh', ['-c', script, 'guard', String(pid), String(ORPHAN_GRACE_SECONDS)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    detached: true,
  });
  guard.once('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return guard;
}

const RESTART_DELAY_MS = 1_000;

export type Supervised = Awaited<ReturnType<typeof supervise>>;

/**
 * Starts a process, and restarts it whenever it ends without being told to: after a second, on the same port and with the
 * same data, so that its clients recover by reconnecting. [contract 9]
 * @param start starts the process; from the second call on it gets the process of the first start
 * @param onChange gets the process id after each start, and undefined when the process has ended
 * @throws what the first start throws
 */
export async function supervise<T extends ManagedProcess>(
  name: string,
  start: (first?: T) => Promise<T>,
  onChange: (pid: number | undefined) => void,
) {
  const first = await start();
  let current: T | undefined = first;
  let stopping = false;

  async function watch(): Promise<void> {
    while (current && !stopping) {
      onChange(current.pid);
      const ending = await current.exited;
      current = undefined;
      onChange(undefined);
      if (stopping) return;
      console.log(`${name} ended (${ending}), it is started again in a second.`);
      await restart();
    }
  }

  async function restart(): Promise<void> {
    for (let failures = 0; !current; failures++) {
      await sleep(RESTART_DELAY_MS);
      if (stopping) return;
      try {
        current = await start(first);
        console.log(`${name} runs again, pid ${current.pid}.`);
      } catch (error) {
        // The first failure alone is printed, since the attempts may go on for long.
        if (failures === 0) console.log(`${name} can't be started again: ${(error as Error).message}`);
      }
    }
  }

  const watching = watch();
  return {
    /** The process of the first start; later ones have the same address. */
    first,
    async stop(): Promise<void> {
      stopping = true;
      await current?.stop();
      await watching;
      // A restart that was under way may have started another process.
      await current?.stop();
    },
  };
}

const START_TIMEOUT_MS = 60_000;
const PORT_ATTEMPTS = 10;
/** How long the remaining processes of a killed server may hold its data, ms. */
const RELEASE_MS = 10_000;
/** How many lines of a server's log an error message has. */
const LOG_TAIL_LINES = 12;

/** A server program that listens on a port, and the lines of its log that explain a failed start. */
interface ServerSpec extends Omit<ProcessSpec, 'args'> {
  name: string;
  args(port: number): string[];
  logFile: string;
  /** Whether the server with this pid answers on the port. */
  isReady(pid: number, port: number): boolean | Promise<boolean>;
  /** Matches the log when the port is taken. */
  portTaken: RegExp;
  /** Matches the log when processes of a killed server still hold the data, which passes. */
  stillHeld?: RegExp;
}

/**
 * Starts a server and waits until it answers.
 * @param wanted the port; a free one by default
 * @throws Error when it can't be started; the message has the end of its log
 */
export async function startServer(server: ServerSpec, wanted?: number) {
  const releasedBy = performance.now() + RELEASE_MS;
  for (let attempt = 1; ; ) {
    const port = wanted ?? (await freePort());
    const started = await spawnManaged({ ...server, args: server.args(port) });
    const { pid, running } = started;
    const decided = () => !running() || server.isReady(pid, port);
    if ((await until(decided, START_TIMEOUT_MS)) && running()) return { ...started, port };
    await started.stop();
    const log = readFileSync(server.logFile, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
    if (server.stillHeld?.test(log) && performance.now() < releasedBy) await sleep(100);
    else if (!server.portTaken.test(log)) throw new Error(`${server.name} did not start:\n${log}`);
    else if (wanted || ++attempt > PORT_ATTEMPTS) throw new Error(`${server.name}: port ${port} is taken.`);
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
