// The replicas and the worker reach Redis by TLS alone: one server, and a cluster. The certificates name a
// host, as those of a managed Redis do, and no address.
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Arena, startArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { answer } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';
import { createCertificate, startTlsProxy, type TlsProxy, trust } from '../support/tcp-proxy.ts';

let arena: Arena;
const proxies: TlsProxy[] = [];
beforeAll(async () => {
  const certificate = await createCertificate('localhost');
  trust(certificate);
  arena = await startArena({
    env: { ROUND_DURATION_MS: '3000' },
    async through(stores) {
      const ports = stores.redisUrl.split(',').map((url) => Number(new URL(url).port));
      for (const port of ports) proxies.push(await startTlsProxy(port, certificate));
      if (stores.isCluster) await announce(ports);
      const redisUrl = proxies.map(({ port }) => `rediss://localhost:${port}`).join(',');
      return { ...stores, redisUrl };
    },
  });
});
afterAll(async () => {
  await arena?.stop();
  for (const proxy of proxies) await proxy.stop();
});

/**
 * The cluster's nodes announce their name and their proxy's port; returns when all nodes know all of them.
 */
async function announce(ports: number[]): Promise<void> {
  const nodes = ports.map((port) => new Redis(port, '127.0.0.1'));
  await Promise.all(
    nodes.map(async (node, index) => {
      await node.config('SET', 'cluster-announce-port', proxies[index]?.port as number);
      await node.config('SET', 'cluster-announce-hostname', 'localhost');
      await node.config('SET', 'cluster-preferred-endpoint-type', 'hostname');
    }),
  );
  const announced = proxies.map(({ port }) => ['localhost', port]).sort();
  for (const node of nodes) {
    await eventually(async () => {
      const slots = (await node.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
      expect(slots.map(([, , [host, port]]) => [host, port]).sort()).toEqual(announced);
    });
    node.disconnect();
  }
}

it('a game over TLS is played to its last round, by answers and by the clock', async () => {
  const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
  await gather([ada, ben], { settings: { rounds: 2 } });
  ada.send({ type: 'lobby:start' });
  for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
  const second = await ben.next('game:answer_result', ({ round }) => round === 2);
  expect(second.reason).toBe('timeout');
  const { scores } = await ben.next('game:finished');
  expect(scores.map(({ score }) => score)).toEqual([1, 1]);
  for (const proxy of proxies) expect(proxy.connections()).toBeGreaterThan(0);
});
