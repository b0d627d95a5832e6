// SIGKILL, which the kernel sends when memory runs out. The process is started again after a while.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Act, nodeOf } from './act.ts';

export const kill: Act = async (stage, fault) => {
  const node = nodeOf(stage, fault);
  await node.kill();
  await sleep(fault.lastsMs);
  await node.start();
};
