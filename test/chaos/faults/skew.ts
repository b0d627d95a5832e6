// A process is stopped gracefully and started with a shifted clock, or with the right one again. A replica's
// clock is shifted by up to ten minutes, since no deadline depends on it. A worker's clock is shifted only by as
// much as a neglected NTP would, since a worker takes up jobs by its own clock; replicas end later rounds.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Act, nodeOf } from './act.ts';

const SKEW_MAX_MS = { replica: 600_000, worker: 2500 };

export const skew: Act = async (stage, fault) => {
  const node = nodeOf(stage, fault);
  await node.stop();
  const maxMs = SKEW_MAX_MS[fault.place as keyof typeof SKEW_MAX_MS];
  node.skewMs = fault.draw < 0.25 ? 0 : Math.round((2 * fault.draw - 1) * maxMs);
  await sleep(fault.lastsMs);
  await node.start();
};
