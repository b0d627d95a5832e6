import { beforeEach, describe, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import type { HttpResponse } from '../support/http-client.ts';
import { create, join, type Player, playerOf, read } from '../support/player.ts';

const MISSES = 10;
const WINDOW_MS = 600_000;

let host: Player;
let attacker: Player;
let code: string;

const arena = useArena({
  workers: 0,
  env: { RATE_LIMIT_CODE_MISS_MAX: `${MISSES}`, RATE_LIMIT_WINDOW_MS: `${WINDOW_MS}` },
});
beforeEach(async () => {
  [host, attacker] = await arena.players('Ada', 'Eve');
  code = (await create(host)).code;
});

const outcomeOf = ({ status, body }: HttpResponse) => (status === 200 ? '200' : `${status} ${body.code}`);

/** Each way of trying a code returns the answer as `status reason`. */
const TRY_BY = {
  join: async (player: Player, tried: string) => outcomeOf(await join(player, tried)),
  read: async (player: Player, tried: string) => outcomeOf(await read(player, tried)),
  async socket(player: Player, tried: string) {
    const { code: status, reason } = await player.refused({ type: 'lobby:join', code: tried });
    return `${status} ${reason}`;
  },
};
const WAYS = Object.values(TRY_BY);

/** Uses up all tries that are answered. */
async function exhaust(player: Player, count = MISSES): Promise<void> {
  for (let index = 0; index < count; index++) expect((await join(player, 'ZZZZZZ')).status).toBe(404);
}

const atOtherReplica = ({ user }: Player) => playerOf(user, arena.replicas[0].url);

describe('tries without a lobby of the user', () => {
  it('are counted over HTTP and /ws together, on all replicas, with repeated and malformed codes and 403s', async () => {
    const other = atOtherReplica(attacker);
    const tries: [way: keyof typeof TRY_BY, player: Player, tried: string, answer: string][] = [
      ['join', attacker, 'ZZZZZZ', '404 LOBBY_NOT_FOUND'],
      ['join', other, 'ZZZZZZ', '404 LOBBY_NOT_FOUND'],
      ['read', attacker, 'ZZZZZZ', '404 LOBBY_NOT_FOUND'],
      ['read', other, code, '403 NOT_A_MEMBER'],
      ['socket', attacker, 'ZZZZZZ', '404 LOBBY_NOT_FOUND'],
      ['socket', attacker, code, '403 NOT_A_MEMBER'],
      ['join', attacker, '7KQ2Z', '404 LOBBY_NOT_FOUND'],
      ['read', attacker, 'äöüäöü', '404 LOBBY_NOT_FOUND'],
      ['socket', attacker, '', '404 LOBBY_NOT_FOUND'],
      ['read', attacker, 'A'.repeat(5000), '404 LOBBY_NOT_FOUND'],
    ];
    expect(tries).toHaveLength(MISSES);
    for (const [way, player, tried, answer] of tries) expect(await TRY_BY[way](player, tried)).toBe(answer);
    // Beyond the limit the right code is refused too.
    for (const way of WAYS)
      for (const tried of [code, 'ZZZZZZ', '!']) expect(await way(attacker, tried)).toBe('429 RATE_LIMITED');
    expect((await read(host, code)).body.players).toHaveLength(1);
  });

  it('are answered up to the limit if they are concurrent, and refused beyond it', async () => {
    const other = atOtherReplica(attacker);
    await other.connect();
    const ways = Array.from({ length: 20 }, () => WAYS).flat();
    const answers = await Promise.all(
      ways.map((way, index) => way(index % 2 ? attacker : other, index % 5 ? 'ZZZZZZ' : '7KQ2Z')),
    );
    expect(answers.filter((answer) => answer === '404 LOBBY_NOT_FOUND')).toHaveLength(MISSES);
    expect(answers.filter((answer) => answer === '429 RATE_LIMITED')).toHaveLength(60 - MISSES);
  });

  it('are counted by client address too, with a limit a hundred times as high', async () => {
    const { redis } = arena.services;
    const key = 'limit:code_miss:127.0.0.1';
    await redis.set(key, 100 * MISSES - 2, 'PX', WINDOW_MS);
    const [first, second, third] = await arena.players('Ben', 'Cleo', 'Dan');
    try {
      expect(await TRY_BY.join(first, 'ZZZZZZ')).toBe('404 LOBBY_NOT_FOUND');
      expect(await TRY_BY.socket(second, 'ZZZZZZ')).toBe('404 LOBBY_NOT_FOUND');
      for (const way of WAYS)
        for (const tried of [code, 'ZZZZZZ']) expect(await way(third, tried)).toBe('429 RATE_LIMITED');
      expect((await read(host, code)).status).toBe(200);
      expect(await redis.get(key)).toBe(`${100 * MISSES}`);
    } finally {
      await redis.del(key);
    }
  });

  it('are not counted for the address if the user’s limit has refused them', async () => {
    const { redis } = arena.services;
    const key = 'limit:code_miss:127.0.0.1';
    await redis.del(key);
    await exhaust(attacker);
    for (let count = 0; count < 5; count++) expect((await join(attacker, 'ZZZZZZ')).status).toBe(429);
    expect(await redis.get(key)).toBe(`${MISSES}`);
  });
});

describe('other requests', () => {
  it('of a member to read, join and enter the lobby are never refused', async () => {
    expect((await join(attacker, code)).status).toBe(200);
    await exhaust(attacker);
    expect((await join(attacker, 'ZZZZZZ')).status).toBe(429);
    expect((await join(attacker, code)).status).toBe(200);
    expect((await read(attacker, code)).status).toBe(200);
    await attacker.acked({ type: 'lobby:join', code });
  });

  it('with the code of an open, full or started lobby are not counted', async () => {
    const full = await create(host, { capacity: 2 });
    const [third] = await arena.players('Ben');
    await join(third, full.code);
    const started = await create(host);
    await arena.services.db.lobby.update({ where: { code: started.code }, data: { status: 'running' } });
    await exhaust(attacker, MISSES - 1);
    for (let time = 0; time < MISSES; time++) {
      expect(await TRY_BY.join(attacker, code)).toBe('200');
      expect(await TRY_BY.join(attacker, full.code)).toBe('409 LOBBY_FULL');
      expect(await TRY_BY.join(attacker, started.code)).toBe('409 LOBBY_NOT_WAITING');
    }
    expect(await TRY_BY.socket(attacker, full.code)).toBe('403 NOT_A_MEMBER');
    expect(await TRY_BY.join(attacker, full.code)).toBe('429 RATE_LIMITED');
  });

  it('with the right codes are not refused if they are concurrent', async () => {
    const lobbies = await Promise.all(Array.from({ length: 2 * MISSES }, () => create(host)));
    const answers = await Promise.all(
      lobbies.flatMap((lobby) => [lobby, lobby]).map((lobby) => join(attacker, lobby.code)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});
