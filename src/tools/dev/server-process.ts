// Starts a PostgreSQL or Redis server on a port, and stops it again. A guard process stops the server when this process
// is killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ManagedProcess, spawnManaged } from './managed-process.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

const STOP_MS = 20_000;
const START_TIMEOUT_MS = 60_000;
const PORT_ATTEMPTS = 10;
/** How long the remaining processes of a killed server may hold its data, ms. */
const RELEASE_MS = 10_000;
/** How many lines of a server's log an error message has. */
const LOG_TAIL_LINES = 12;

/** A server program to run. */
export interface ServerCommand {
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
export interface PortServer extends Omit<ServerCommand, 'args'> {
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

/**
 * Starts the server without waiting until it is ready.
 * @throws Error when the program can't be run
 */
export async function spawnServer(server: ServerCommand): Promise<ManagedProcess> {
  const { command, args, env, cwd, user, stopSignal, logFile } = server;
  const log = openSync(logFile, 'w', 0o600);
  const options = { cwd, env, ...user, stdio: ['ignore' as const, log, log] };
  const { managed } = await spawnManaged([command, ...args], options, { stopSignal, graceMs: STOP_MS }).finally(() =>
    closeSync(log),
  );
  const guard = guardAgainstOrphaning(managed.pid, stopSignal);
  void managed.exited.then(() => guard?.kill('SIGKILL'));
  return managed;
}

/**
 * Starts a shell that stops the server when its standard input closes. The kernel closes that pipe when this process
 * ends, also by SIGKILL, which leaves the process itself no chance to stop the server.
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

function logTailOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
  } catch {
    return '(it left no log)';
  }
}
