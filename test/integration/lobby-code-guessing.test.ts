// Somebody signed in who wants to find the lobbies of others by trying codes: over HTTP and over
// sockets, on both replicas, one after the other and all at once. [contract 17]
import type { Redis } from 'ioredis';
import { beforeEach, describe, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { create, join, read } from '../support/lobby-requests.ts';
import { type Player, playerOf } from '../support/player.ts';

const MISSES = 10;
const WINDOW_MS = 600_000;

let host: Player;
let enemy: Player;
let code: string;

const arena = useArena({
  workers: 0,
  env: { RATE_LIMIT_CODE_MISS_MAX: `${MISSES}`, RATE_LIMIT_WINDOW_MS: `${WINDOW_MS}` },
});
beforeEach(async () => {
  [host, enemy] = (await arena.players('Ada', 'Eve')) as [Player, Player];
  code = (await create(host)).code;
});

/** As each of the ways in: what it answers to `tried`, as `status reason`. */
const WAYS: Record<string, (player: Player, tried: string) => Promise<string>> = {
  join: async (player, tried) => saidOf(await join(player, tried)),
  read: async (player, tried) => saidOf(await read(player, tried)),
  socket: async (player, tried) => {
    const { code: status, reason } = await player.refused({ type: 'lobby:join', code: tried });
    return `${status} ${reason}`;
  },
};

function saidOf({ status, body }: { status: number; body: { code: string } }): string {
  return status === 200 ? '200' : `${status} ${body.code}`;
}

/** Uses up what is answered. */
async function exhaust(player: Player, count = MISSES): Promise<void> {
  for (let index = 0; index < count; index++)
    expect((await join(player, 'ZZZZZZ')).status).toBe(404);
}

const atOtherReplica = ({ user }: Player) => playerOf(user, arena.replicas[0]?.url as string);

describe('tries that lead to no lobby of the user’s', () => {
  it('are counted over HTTP and /ws together, on all replicas, repeated and malformed codes and 403 too', async () => {
    const other = atOtherReplica(enemy);
    const tries: [way: string, player: Player, tried: string, answer: string][] = [
      ['join', enemy, 'ZZZZZZ', '404 LOBBY_NOT_FOUND'],
      ['join', other, 'ZZZZZZ', '404 LOBBY_NOT_FOUND'],
      ['read', enemy, 'ZZZZZZ', '404 LOBBY_NOT_FOUND'],
      ['read', other, code, '403 NOT_A_MEMBER'],
      ['socket', enemy, 'ZZZZZZ', '404 LOBBY_NOT_FOUND'],
      ['socket', enemy, code, '403 NOT_A_MEMBER'],
      ['join', enemy, '7KQ2Z', '404 LOBBY_NOT_FOUND'],
      ['read', enemy, 'äöüäöü', '404 LOBBY_NOT_FOUND'],
      ['socket', enemy, '', '404 LOBBY_NOT_FOUND'],
      ['read', enemy, 'A'.repeat(5000), '404 LOBBY_NOT_FOUND'],
    ];
    expect(tries).toHaveLength(MISSES);
    for (const [way, player, tried, answer] of tries)
      expect(await WAYS[way]?.(player, tried)).toBe(answer);
    for (const way of Object.values(WAYS))
      expect(await way(enemy, 'ZZZZZZ')).toBe('429 RATE_LIMITED');
  });

  it.each(Object.keys(WAYS))(
    'after too many, the right code is refused as the wrong one: %s',
    async (way) => {
      await exhaust(enemy);
      for (const tried of [code, 'ZZZZZZ', '!'])
        expect(await WAYS[way]?.(enemy, tried)).toBe('429 RATE_LIMITED');
      const { players } = (await read(host, code)).body;
      expect(players).toHaveLength(1);
    },
  );

  it('say when to come back: Retry-After over HTTP, retryAfterMs over /ws', async () => {
    await exhaust(enemy);
    for (const ask of [join, read]) {
      const { headers, body } = await ask(enemy, code);
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(WINDOW_MS / 1000 - 60);
      expect(seconds).toBeLessThanOrEqual(WINDOW_MS / 1000);
      expect(body.title).toBe('Too Many Requests');
    }
    const { retryAfterMs } = await enemy.refused({ type: 'lobby:join', code });
    expect(retryAfterMs).toBeGreaterThan(WINDOW_MS - 60_000);
    expect(retryAfterMs).toBeLessThanOrEqual(WINDOW_MS);
  });

  it('however many come at once, not more are answered', async () => {
    const other = atOtherReplica(enemy);
    await other.connect();
    const ways = Object.values(WAYS);
    const said = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const way = ways[index % ways.length] as (typeof ways)[number];
        return way(index % 2 ? enemy : other, index % 5 ? 'ZZZZZZ' : '7KQ2Z');
      }),
    );
    expect(said.filter((answer) => answer === '404 LOBBY_NOT_FOUND')).toHaveLength(MISSES);
    expect(said.filter((answer) => answer === '429 RATE_LIMITED')).toHaveLength(60 - MISSES);
  });

  it('the window begins with the first, and refused tries don’t lengthen it', async () => {
    const redis = arena.replicas[0]?.services.redis as Redis;
    const key = `limit:code_miss:${enemy.user.id}`;
    await exhaust(enemy, 1);
    await redis.pexpire(key, 60_000);
    await exhaust(enemy, MISSES - 1);
    const { headers } = await join(enemy, code);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    await redis.pexpire(key, 1);
    await expect.poll(async () => (await join(enemy, code)).status).toBe(200);
    expect(await redis.exists(key)).toBe(0);
  });
});

describe('who is not guessing is not disturbed', () => {
  it('a member reads, joins and enters the lobby, whatever else was tried', async () => {
    expect((await join(enemy, code)).status).toBe(200);
    await exhaust(enemy);
    expect((await join(enemy, 'ZZZZZZ')).status).toBe(429);
    expect((await join(enemy, code)).status).toBe(200);
    expect((await read(enemy, code)).status).toBe(200);
    enemy.send({ type: 'lobby:join', code });
    await enemy.next('lobby:state', ({ lobby }) => lobby.code === code);
  });

  it('a right code is no miss, nor is a lobby that is full or has started', async () => {
    const full = await create(host, { capacity: 2 });
    const [third] = await arena.players('Ben');
    await join(third as Player, full.code);
    const started = await create(host);
    await arena.replicas[0]?.services.db.lobby.update({
      where: { code: started.code },
      data: { status: 'running' },
    });
    await exhaust(enemy, MISSES - 1);
    for (let time = 0; time < MISSES; time++) {
      expect(await WAYS.join?.(enemy, code)).toBe('200');
      expect(await WAYS.join?.(enemy, full.code)).toBe('409 LOBBY_FULL');
      expect(await WAYS.join?.(enemy, started.code)).toBe('409 LOBBY_NOT_WAITING');
    }
    expect(await WAYS.socket?.(enemy, full.code)).toBe('403 NOT_A_MEMBER');
    expect(await WAYS.join?.(enemy, full.code)).toBe('429 RATE_LIMITED');
  });

  it('of many right codes at once none is refused', async () => {
    const lobbies = await Promise.all(Array.from({ length: 2 * MISSES }, () => create(host)));
    const said = await Promise.all(
      lobbies.flatMap((lobby) => [lobby, lobby]).map((lobby) => join(enemy, lobby.code)),
    );
    expect(said.map(({ status }) => status)).toEqual(said.map(() => 200));
  });

  it('another user, from the same address, has tries of their own', async () => {
    await exhaust(enemy);
    const [other] = await arena.players('Ben');
    expect(await WAYS.join?.(other as Player, 'ZZZZZZ')).toBe('404 LOBBY_NOT_FOUND');
  });

  it('the refusals don’t close the socket', async () => {
    await exhaust(enemy);
    for (let time = 0; time < 90; time++) {
      expect(await WAYS.socket?.(enemy, code)).toBe('429 RATE_LIMITED');
      // As fast as a socket may send for as long as it likes.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    enemy.send({ type: 'lobby:join', code: (await create(enemy)).code });
    await enemy.next('lobby:state');
  });
});
