// SIGSTOP and SIGCONT: the process keeps its connections and locks, and does nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Act, nodeOf } from './act.ts';

export const freeze: Act = async (stage, fault) => {
  const node = nodeOf(stage, fault);
  node.freeze();
  node.isUp = false;
  await sleep(fault.lastsMs);
  node.thaw();
  node.isUp = true;
};
