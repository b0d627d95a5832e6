// Faults of the network to a store: connections are cut, silent, slow, or refused. Some of them affect only a
// part of the connections.
import { setTimeout as sleep } from 'node:timers/promises';
import type { TcpProxy } from '../../support/tcp-proxy.ts';
import type { Stage } from '../stage.ts';
import { type Act, chosenBy } from './act.ts';

const SLOWEST_MS = 500;

const proxiesOf = ({ redis, postgres }: Stage, place: string): TcpProxy[] =>
  place === 'redis' ? redis.proxies : [postgres.proxy];

export const cut: Act = async (stage, fault) => {
  for (const proxy of proxiesOf(stage, fault.place)) proxy.cut(chosenBy(fault));
  await sleep(fault.lastsMs);
};

export const hold: Act = async (stage, fault) => {
  for (const proxy of proxiesOf(stage, fault.place)) proxy.stall(chosenBy(fault));
  await sleep(fault.lastsMs);
  for (const proxy of proxiesOf(stage, fault.place)) proxy.unstall();
};

/** Delays by 1 to 500 ms; short delays are drawn more often. */
export const slow: Act = async (stage, fault) => {
  for (const proxy of proxiesOf(stage, fault.place)) proxy.slow(SLOWEST_MS ** fault.draw);
  await sleep(fault.lastsMs);
  for (const proxy of proxiesOf(stage, fault.place)) proxy.slow(0);
};

export const block: Act = async (stage, fault) => {
  for (const proxy of proxiesOf(stage, fault.place)) await proxy.block();
  await sleep(fault.lastsMs);
  for (const proxy of proxiesOf(stage, fault.place)) await proxy.unblock();
};
