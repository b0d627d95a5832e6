// A process is stopped gracefully and started from the other release's code: a rolling update, one process at a
// time, forwards and back.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Act, nodeOf } from './act.ts';

export const update: Act = async (stage, fault) => {
  const node = nodeOf(stage, fault);
  await node.stop();
  node.root = node.root === undefined ? stage.previous : undefined;
  await sleep(fault.lastsMs);
  await node.start();
};
