// Lobbies are created over HTTP, with unique codes, joined and read. [contract 4, 10]
import { beforeAll, describe, expect, it } from 'vitest';
import { createLobby } from '../../src/lobby/create-lobby.ts';
import { CreateLobbyRequest, LOBBY_EXAMPLE } from '../../src/lobby/schema.ts';
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

describe('POST /api/v1/lobbies', () => {
  it('needs no body: 201 with the defaults, and the caller as host and first player', async () => {
    const lobby = await create(ada);
    expect(lobby).toEqual({
      lobbyId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{6}$/),
      status: 'waiting',
      hostId: ada.user.id,
      capacity: 8,
      settings: { ...LOBBY_EXAMPLE.settings, roundMs: expect.any(Number) },
      compact: false,
      playerCount: 1,
      connectedCount: 0,
      players: [{ userId: ada.user.id, name: 'Ada', isHost: true, plays: true, connected: false }],
      locked: false,
      gameId: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(Math.abs(Date.parse(lobby.createdAt) - Date.now())).toBeLessThan(10_000);
  });

  it('refuses anything else with 400 VALIDATION_FAILED, and names the field', async () => {
    for (const [body, path, message] of [
      [{ capacity: 1001 }, 'capacity', 'must be at most 1000'],
      [{ settings: { scoring: 'luck' } }, 'settings.scoring', 'must be one of accuracy, speed, streak'],
      [{ settings: { targetLanguage: 'en' } }, 'settings.targetLanguage', expect.stringMatching(/must differ/)],
      [{ hostId: 'me' }, '', 'has an unknown field'],
    ] as const) {
      const { status, body: problem } = await ada.http.post('/api/v1/lobbies', body);
      expect([status, problem.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(problem.errors).toEqual([{ path, message }]);
    }
  });
});

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
    const other = ben.http.at(arena.replicas[0].url);
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

describe('a code that is taken', () => {
  const host = () => ada.user.id;
  const codesFrom = (codes: string[]) => {
    const used: string[] = [];
    const newCode = () => {
      used.push(codes[used.length] as string);
      return used.at(-1) as string;
    };
    return { used, newCode };
  };

  it('is replaced by another one, in up to 5 attempts', async () => {
    const { code: taken } = await create(ada);
    const { used, newCode } = codesFrom([taken, taken, taken, taken, '00000Z']);
    const lobby = await createLobby({ ...arena.services, newCode }, host(), CreateLobbyRequest.parse({}));
    expect(lobby.code).toBe('00000Z');
    expect(used).toHaveLength(5);
  });

  it('fails the request after 5 attempts', async () => {
    const { code: taken } = await create(ada);
    const { used, newCode } = codesFrom([taken, taken, taken, taken, taken, '00000Y']);
    const creating = createLobby({ ...arena.services, newCode }, host(), CreateLobbyRequest.parse({}));
    await expect(creating).rejects.toThrow();
    expect(used).toHaveLength(5);
  });
});

describe('a code in a request', () => {
  it('is read without case, spaces and hyphens, O as 0, I and L as 1', async () => {
    const request = CreateLobbyRequest.parse({});
    await createLobby({ ...arena.services, newCode: () => '01ABC1' }, ada.user.id, request);
    await ada.connect();
    for (const written of ['01ABC1', '01abc1', 'OIabcL', 'olAbCi', ' 01-AB C1-', 'oi--abc  l']) {
      const path = encodeURIComponent(written);
      expect((await join(ben, path)).body.code, written).toBe('01ABC1');
      expect((await read(ben, path)).body.code, written).toBe('01ABC1');
      const seen = ada.messages.length;
      ada.send({ type: 'lobby:join', code: written });
      await ada.next('lobby:state', ({ lobby }) => lobby.code === '01ABC1', seen);
    }
  });
});

describe('[contract 22] GET /api/v1/lobbies', () => {
  it('has the lobbies that one is a member of, on any replica, the newest first, at most 20', async () => {
    const cleo = await arena.player('Cleo', 1);
    const joined = await create(ada, { settings: { rounds: 7 } });
    await join(cleo, joined.code);
    const own = await create(cleo);
    const listed = async () => (await cleo.http.get('/api/v1/lobbies')).body.lobbies;
    expect(await listed()).toEqual([
      expect.objectContaining({ code: own.code, isHost: true, playerCount: 1, status: 'waiting' }),
      expect.objectContaining({
        lobbyId: joined.lobbyId,
        isHost: false,
        playerCount: 2,
        gameId: null,
        settings: joined.settings,
      }),
    ]);
    for (let count = 0; count < 20; count++) await create(cleo);
    const codes = (await listed()).map(({ code }: { code: string }) => code);
    expect(codes).toHaveLength(20);
    expect(codes).not.toContain(joined.code);
  });
});
