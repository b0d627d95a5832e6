// Three players play whole games on two replicas, by sockets and by streams with requests. [contract 5, 24]
import { expect, it, onTestFinished } from 'vitest';
import { useArena } from '../support/arena.ts';
import { startBalancer } from '../support/balancer.ts';
import { playJudged } from '../support/oracle.ts';

const arena = useArena();

it.each([false, true])('in a game on two replicas nothing is lost, late or wrong; compact: %s', async (compact) => {
  const balancer = await startBalancer(arena.replicas.map(({ config }) => config.port));
  onTestFinished(() => balancer.stop());
  const players = await Promise.all(['Ada', 'Ben', 'Cleo'].map((name) => arena.player(name)));
  const accounts = players.map(({ user }) => user);
  expect(await playJudged(balancer.url, accounts, { compact, scoring: 'speed' }, 0.5)).toEqual([]);
});
