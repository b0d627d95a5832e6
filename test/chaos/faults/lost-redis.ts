// A Redis server that is lost for good, and whose place another one takes: behind a Sentinel with the
// last writes, in a cluster with nothing that was written before.
import type { Act } from './act.ts';

export const loseWrites: Act = async ({ redis }, fault) => {
  await redis.loseWrites?.(fault.lastsMs);
};

/** The slot of a queue of clocks, or any lobby's. */
export const loseMaster: Act = async ({ redis }, { draw }) => {
  await redis.loseMaster?.(draw < 0.3 ? '{quiz:clock:0}:clock:id' : `lobby:{${draw}}`);
};
