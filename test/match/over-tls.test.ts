// The replicas and the worker reach Redis by TLS alone. The certificate names a host, as that of a managed Redis does, and
// no address.
import { afterAll, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { answer, openLobby } from '../support/game.ts';
import { createCertificate, startTcpProxy, type TcpProxy, trust } from '../support/tcp-proxy.ts';

let proxy: TcpProxy;
// Hooks run in reverse order, so that the arena stops first.
afterAll(() => proxy.stop());
const arena = useArena({
  env: { ROUND_DURATION_MS: '3000' },
  async through(stores) {
    const certificate = await createCertificate('localhost');
    trust(certificate);
    const port = Number(new URL(stores.redisUrl).port);
    proxy = await startTcpProxy({ host: '127.0.0.1', port }, { certificate });
    return { ...stores, redisUrl: `rediss://localhost:${proxy.port}` };
  },
});

it('a game over TLS is played to its last round, by answers and by the clock', async () => {
  const { ada, ben } = await openLobby(arena, { settings: { rounds: 2 } });
  ada.send({ type: 'lobby:start' });
  for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
  const second = await ben.next('game:answer_result', ({ round }) => round === 2);
  expect(second.reason).toBe('timeout');
  const { scores } = await ben.next('game:finished');
  expect(scores.map(({ score }) => score)).toEqual([1, 1]);
  expect(proxy.connections()).toBeGreaterThan(0);
});
