// Keeps the stack's own processes running: one that dies is started again after one second.
// [contract 9]
import { type Child, type ChildSpec, type Ending, spawnChild } from './child.ts';

const RESTART_DELAY_MS = 1_000;
/** A little more than the 25 s that the processes grant themselves. */
const STOP_TIMEOUT_MS = 27_000;

export interface SupervisorEvents {
  /** Gets each line of output. */
  print(line: string): void;
  /** A process has started or ended: what `pidOf` says is new. */
  onChange(): void;
  /** A process has ended without being told to; it will be started again. */
  onDied(name: string, ending: Ending): void;
}

export interface Supervisor {
  /** Starts it, now and whenever it dies, with the same environment and so on the same port. */
  keep(spec: ChildSpec): void;
  /** @returns undefined while it is down. */
  pidOf(name: string): number | undefined;
  /** SIGTERM to all, the last one started first; SIGKILL to those that take longer than 27 s. */
  stop(): Promise<void>;
  /** SIGKILL to all, at once. */
  kill(): void;
}

/** Makes a supervisor; it starts with nothing. */
export function createSupervisor(events: SupervisorEvents): Supervisor {
  const running = new Map<string, Child>();
  const restarts = new Set<NodeJS.Timeout>();
  let stopping = false;

  function keep(spec: ChildSpec): void {
    if (stopping) return;
    const child = spawnChild(spec, events.print);
    running.set(spec.name, child);
    events.onChange();
    void child.ended.then((ending) => {
      running.delete(spec.name);
      events.onChange();
      if (stopping) return;
      events.onDied(spec.name, ending);
      const timer = setTimeout(() => {
        restarts.delete(timer);
        keep(spec);
      }, RESTART_DELAY_MS);
      restarts.add(timer);
    });
  }

  function cancelRestarts(): void {
    stopping = true;
    for (const timer of restarts) clearTimeout(timer);
  }

  async function stop(): Promise<void> {
    cancelRestarts();
    const children = [...running.values()].reverse();
    for (const child of children) child.kill('SIGTERM');
    const force = setTimeout(() => {
      for (const child of children) child.kill('SIGKILL');
    }, STOP_TIMEOUT_MS);
    await Promise.all(children.map((child) => child.ended));
    clearTimeout(force);
  }

  function kill(): void {
    cancelRestarts();
    for (const child of running.values()) child.kill('SIGKILL');
  }

  return { keep, pidOf: (name) => running.get(name)?.pid, stop, kill };
}
