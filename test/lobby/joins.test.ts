import { beforeAll, describe, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { create, join, type Player, read } from '../support/player.ts';

let ada: Player;
let ben: Player;

const arena = useArena({ workers: 0 });
beforeAll(async () => {
  ada = await arena.player('Ada', 0);
  ben = await arena.player('Ben', 1);
});

async function strangers(count: number): Promise<Player[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => arena.player(`Player ${i}`, i % 2)));
}

describe('POST /api/v1/lobbies/:code/join', () => {
  it('adds the caller, and lists the players in the order of their joins', async () => {
    const { code } = await create(ben);
    const others = await strangers(3);
    for (const player of [ada, ...others]) expect((await join(player, code)).status).toBe(200);
    const { players } = (await join(ada, code)).body;
    expect(players.map((player: { userId: string }) => player.userId)).toEqual(
      [ben, ada, ...others].map(({ user }) => user.id),
    );
    expect(players.map((player: { isHost: boolean }) => player.isHost)).toEqual(
      players.map((_: unknown, index: number) => index === 0),
    );
  });

  it('is 409 LOBBY_FULL with the numbers of players and places in a full lobby', async () => {
    const { code } = await create(ada, { capacity: 2 });
    await join(ben, code);
    const [late] = await strangers(1);
    const { status, body } = await join(late as Player, code);
    expect([status, body.code]).toEqual([409, 'LOBBY_FULL']);
    expect(body.detail).toBe('The lobby is full (2 of 2 players).');
  });

  it('is 200 and changes nothing the second time, in a full lobby too', async () => {
    const { code } = await create(ada, { capacity: 2 });
    expect((await join(ada, code)).body.players).toHaveLength(1);
    const first = (await join(ben, code)).body;
    for (const player of [ben, ada]) {
      const again = await join(player, code);
      expect(again.status).toBe(200);
      expect(again.body).toEqual(first);
    }
  });

  it('gives concurrent joins exactly the free places', async () => {
    const { code } = await create(ada, { capacity: 5 });
    const answers = await Promise.all((await strangers(16)).map((player) => join(player, code)));
    const outcomes = answers.map(({ status, body }) => [status, body.code]);
    expect(outcomes.filter(([status]) => status === 200)).toHaveLength(4);
    for (const [status, problem] of outcomes)
      if (status !== 200) expect([status, problem]).toEqual([409, 'LOBBY_FULL']);
    const { players } = (await read(ada, code)).body;
    expect(new Set(players.map((player: { userId: string }) => player.userId)).size).toBe(5);
  });

  it('gives one user one place, and succeeds each time, however often the user joins at once', async () => {
    const { code } = await create(ada, { capacity: 3 });
    const other = ben.http.at(arena.replicas[0]?.url as string);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => (i % 2 ? other : ben.http).post(`/api/v1/lobbies/${code}/join`, {})),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    const [third] = await strangers(1);
    expect((await join(third as Player, code)).body.players).toHaveLength(3);
  });
});

describe('GET /api/v1/lobbies/:code', () => {
  it('shows a member the lobby, the same on every replica', async () => {
    const lobby = await create(ada);
    expect((await read(ada, lobby.code)).body).toEqual(lobby);
    const joined = (await join(ben, lobby.code)).body;
    expect((await read(ben, lobby.code)).body).toEqual(joined);
    expect((await read(ada, lobby.code)).body).toEqual(joined);
  });
});
