// A server of somebody else's that this process starts, owns and stops: it must not outlive us when we
// are killed without notice, and it comes back on its port.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OwnProcess, spawnOwn } from './own-process.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

const STOP_MS = 20_000;
const START_TIMEOUT_MS = 60_000;
const PORT_ATTEMPTS = 10;
/** How long the processes of a killed server may take to notice and let go of what they hold. */
const LET_GO_MS = 10_000;
const LAST_WORDS = 12;

/** What to run. */
export interface ServerCommand {
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

/** What to run on a port, and how to tell what became of it. */
export interface PortServer extends Omit<ServerCommand, 'args'> {
  name: string;
  args(port: number): string[];
  /** Whether the server of this process answers there. */
  isReady(pid: number, port: number): boolean | Promise<boolean>;
  /** What its log says when the port is taken. */
  portTaken: RegExp;
  /** What it says when a killed one still holds the data, which passes. */
  stillHeld?: RegExp;
}

/** A server that answers. */
export interface RunningServer extends OwnProcess {
  readonly port: number;
}

/**
 * Starts a server and waits until it answers.
 * @param wanted its port; any free one by default
 * @throws Error when it can't be started; the message holds its last words
 */
export async function startServer(server: PortServer, wanted?: number): Promise<RunningServer> {
  const letGoBy = Date.now() + LET_GO_MS;
  for (let attempt = 1; ; ) {
    const port = wanted ?? (await freePort());
    const started = await spawnServer({ ...server, args: server.args(port) });
    const { pid, running } = started;
    const decided = () => !running() || server.isReady(pid, port);
    if ((await until(decided, START_TIMEOUT_MS)) && running()) return { ...started, port };
    await started.stop();
    const words = lastWordsIn(server.logFile);
    if (server.stillHeld?.test(words) && Date.now() < letGoBy) await sleep(100);
    else if (!server.portTaken.test(words))
      throw new Error(`${server.name} did not start:\n${words}`);
    else if (wanted || ++attempt > PORT_ATTEMPTS)
      throw new Error(`${server.name}: port ${port} is taken.`);
  }
}

/**
 * Starts the server; it need not be ready when this returns.
 * @throws Error when it can't be started at all
 */
export async function spawnServer(server: ServerCommand): Promise<OwnProcess> {
  const { command, args, env, cwd, user, stopSignal, logFile } = server;
  const log = openSync(logFile, 'w', 0o600);
  const options = { cwd, env, ...user, stdio: ['ignore' as const, log, log] };
  const { own } = await spawnOwn([command, ...args], options, {
    stopSignal,
    graceMs: STOP_MS,
  }).finally(() => closeSync(log));
  const guard = guardAgainstOrphaning(own.pid, stopSignal);
  void own.exited.then(() => guard?.kill('SIGKILL'));
  return own;
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

function lastWordsIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LAST_WORDS).join('\n');
  } catch {
    return '(it left no log)';
  }
}
