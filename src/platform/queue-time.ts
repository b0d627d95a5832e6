// When a job is due is by the Redis server's clock, for whoever looks. BullMQ goes by the clock of its own
// machine: what one that is wrong has delayed would be due to others minutes too late, or too early.
import type { RedisQueueBackend } from 'bullmq';

/** Which arguments of BullMQ's scripts, the keys counted too, are moments. A test holds their places. */
const MOMENTS: Readonly<Record<string, readonly number[]>> = {
  moveToActive: [12],
  moveToFinished: [15],
  moveToDelayed: [12],
  retryJob: [12],
  changeDelay: [5],
  addJobScheduler: [11, 17],
  updateJobScheduler: [12, 16],
};

/** Where scripts that look for the next job reply from when on the one after is due; 0: there is none. */
const DUE_AT = 3;

/**
 * Turns whatever moments BullMQ tells Redis into those of the Redis server's clock, and those that it is
 * told into this machine's.
 * @param nowMs the Redis server's time
 */
export function keepRedisTime(backend: RedisQueueBackend, nowMs: () => number): void {
  const { execCommand } = backend;
  backend.execCommand = (client, name, args) => {
    const places = MOMENTS[name];
    if (!places) return execCommand.call(backend, client, name, args);
    const aheadMs = nowMs() - Date.now();
    const told = args.map((arg, place) => (places.includes(place) ? shifted(arg, aheadMs) : arg));
    return toOwnTime(execCommand.call(backend, client, name, told), aheadMs);
  };
}

/** Some of the moments are written out, and some may be missing. */
function shifted<T>(moment: T, byMs: number): T | number {
  const isWritten = typeof moment === 'string' && /^\d+$/.test(moment);
  return typeof moment === 'number' || isWritten ? Number(moment) + byMs : moment;
}

async function toOwnTime(replied: Promise<unknown>, aheadMs: number): Promise<unknown> {
  const reply = await replied;
  if (!Array.isArray(reply) || !(Number(reply[DUE_AT]) > 0)) return reply;
  return reply.with(DUE_AT, Number(reply[DUE_AT]) - aheadMs);
}
