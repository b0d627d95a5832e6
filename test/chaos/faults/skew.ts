// Stopped in good order, and started with a clock that is wrong by up to ten minutes, or right again.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Act, nodeOf } from './act.ts';

const SKEW_MAX_MS = 600_000;

export const skew: Act = async (stage, fault) => {
  const node = nodeOf(stage, fault);
  await node.stop();
  node.skewMs = fault.draw < 0.25 ? 0 : Math.round((2 * fault.draw - 1) * SKEW_MAX_MS);
  await sleep(fault.lastsMs);
  await node.start();
};
