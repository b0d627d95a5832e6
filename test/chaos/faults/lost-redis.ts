// A Redis server is lost for good and another one takes its place. Under a Sentinel the last writes are lost
// with it; in a cluster only the writes that its replica has not received.
import type { Act } from './act.ts';

export const loseWrites: Act = async ({ redis }, fault) => {
  await redis.loseWrites?.(fault.lastsMs);
};

/** A key in the slot of a queue of clocks, or of some lobby. */
export const loseMaster: Act = async ({ redis }, { draw }) => {
  await redis.loseMaster?.(draw < 0.3 ? '{quiz:clock:0}:clock:id' : `lobby:{${draw}}`);
};
