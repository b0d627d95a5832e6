// A replica that a test measures loads this file first (`--import`). On the messages of the test it measures its own
// CPU time, the longest turn of its event loop, and its heap.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a replica has used between two messages of its test. */
export interface Usage {
  /** The CPU time of its main thread, ms. V8's other threads mark garbage meanwhile, also that of earlier work. */
  cpuMs: number;
  threadsMs: number;
  /** The CPU time of the longest turn of its event loop, ms. */
  turnMs: number;
  /** What its heap holds after garbage is collected; only if the test asks for it. */
  heapBytes?: number;
}

/** How often the probe looks at the event loop, ms: it takes longer only while another turn does. */
const TICK_MS = 1;

const NOTHING: Usage = { cpuMs: 0, threadsMs: 0, turnMs: 0 };

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let startMs = 0;
let start = process.cpuUsage();
let turnMs = 0;
let last = { clockMs: 0, usedMs: 0 };
let ticking: NodeJS.Timeout | undefined;

/** @returns the time, and the CPU time of this thread, ms */
function now() {
  const { user, system } = process.threadCpuUsage();
  return { clockMs: performance.now(), usedMs: (user + system) / 1000 };
}

function sample(): void {
  const next = now();
  // The kernel counts CPU time in ticks of some ms, so that a short turn may be charged a whole tick.
  turnMs = Math.max(turnMs, Math.min(next.clockMs - last.clockMs, next.usedMs - last.usedMs));
  last = next;
}

const COMMANDS = {
  begin(): Usage {
    clearInterval(ticking);
    ticking = setInterval(sample, TICK_MS);
    turnMs = 0;
    last = now();
    startMs = last.usedMs;
    start = process.cpuUsage();
    return NOTHING;
  },
  end(): Usage {
    sample();
    clearInterval(ticking);
    const { user, system } = process.cpuUsage(start);
    return { cpuMs: last.usedMs - startMs, threadsMs: (user + system) / 1000, turnMs };
  },
  heap(): Usage {
    // A second collection removes what finalizers of the first one have freed.
    for (let time = 0; time < 2; time++) collectGarbage();
    return { ...NOTHING, heapBytes: process.memoryUsage().heapUsed };
  },
};
export type ProbeCommand = keyof typeof COMMANDS;

process.on('message', (command: ProbeCommand) => void process.send?.(COMMANDS[command]()));
process.channel?.unref();
