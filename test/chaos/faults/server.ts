// Faults of a store's server: it hangs, or it ends, gracefully or not, and comes back with its data.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerControls } from '../../support/own-servers.ts';
import type { PlannedFault } from '../schedule.ts';
import type { Stage } from '../stage.ts';
import type { Act } from './act.ts';

function serverOf({ redis, postgres }: Stage, { place }: PlannedFault): ServerControls {
  const server = place === 'redis' ? redis.server : postgres;
  if (!server) throw new Error('This Redis is more than one server.');
  return server;
}

export const freezeServer: Act = async (stage, fault) => {
  const server = serverOf(stage, fault);
  server.pause();
  await sleep(fault.lastsMs);
  server.resume();
};

export const restartServer: Act = async (stage, fault) => {
  const server = serverOf(stage, fault);
  await (fault.draw < 0.5 ? server.kill() : server.stop());
  await sleep(fault.lastsMs);
  await server.start();
};
