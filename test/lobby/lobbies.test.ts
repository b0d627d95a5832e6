// Lobbies are created over HTTP, with unique codes, joined and read. [contract 4, 10]
import { beforeAll, describe, expect, it } from 'vitest';
import { createLobby } from '../../src/lobby/create-lobby.ts';
import { CreateLobbyRequest, LOBBY_EXAMPLE } from '../../src/lobby/schema.ts';
import { useArena } from '../support/arena.ts';
import { codeOf } from '../support/http-client.ts';
import { create, join, type Player, playerOf, read } from '../support/player.ts';

let ada: Player;
let ben: Player;

const arena = useArena({ workers: 0 });
beforeAll(async () => {
  ada = await arena.player('Ada', 0);
  ben = await arena.player('Ben', 1);
});

const strangers = (count: number): Promise<Player[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => arena.player(`Player ${i}`, i % 2)));

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

  it('refuses equal languages with 400 VALIDATION_FAILED, and names the field', async () => {
    const refused = await ada.http.post('/api/v1/lobbies', { settings: { targetLanguage: 'en' } });
    const body = { code: 'VALIDATION_FAILED', errors: [{ path: 'settings.targetLanguage' }] };
    expect(refused).toMatchObject({ status: 400, body });
  });
});

describe('POST /api/v1/lobbies/:code/join', () => {
  it('is 409 LOBBY_FULL with the numbers of players and places in a full lobby', async () => {
    const { code } = await create(ada, { capacity: 2 });
    await join(ben, code);
    const [late] = await strangers(1);
    const detail = 'The lobby is full (2 of 2 players).';
    expect(await join(late as Player, code)).toMatchObject({ status: 409, body: { code: 'LOBBY_FULL', detail } });
  });

  it('is 200 and changes nothing the second time, in a full lobby too', async () => {
    const { code } = await create(ada, { capacity: 2 });
    expect((await join(ada, code)).body.players).toHaveLength(1);
    const first = (await join(ben, code)).body;
    const same = expect.objectContaining({ status: 200, body: first });
    for (const player of [ben, ada]) expect(await join(player, code)).toEqual(same);
  });

  it('gives concurrent joins exactly the free places', async () => {
    const { code } = await create(ada, { capacity: 5 });
    const answers = await Promise.all((await strangers(16)).map((player) => join(player, code)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(codeOf)).toEqual(Array(12).fill([409, 'LOBBY_FULL']));
    const { players } = (await read(ada, code)).body;
    expect(new Set(players.map((player: { userId: string }) => player.userId)).size).toBe(5);
  });

  it('gives one user one place, and succeeds each time, however often the user joins at once', async () => {
    const { code } = await create(ada, { capacity: 3 });
    const clients = [ben, playerOf(ben.user, arena.replicas[0].url)];
    const answers = await Promise.all(
      Array(6)
        .fill(clients)
        .flat()
        .map((client) => join(client, code)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    const [third] = await strangers(1);
    expect((await join(third as Player, code)).body.players).toHaveLength(3);
  });
});

it('a code that is taken is replaced by another one, in up to 5 attempts, and then fails the request', async () => {
  const { code: taken } = await create(ada);
  /** Creates a lobby whose code is the first of these that is free. @returns how many were tried, and the outcome */
  async function createWith(codes: string[]) {
    let tried = 0;
    const newCode = () => codes[tried++] as string;
    const creating = createLobby({ ...arena.services, newCode }, ada.user.id, CreateLobbyRequest.parse({}));
    const [outcome] = await Promise.allSettled([creating]);
    return { tried, outcome };
  }
  const replaced = await createWith([taken, taken, taken, taken, '00000Z']);
  expect(replaced).toMatchObject({ tried: 5, outcome: { value: { code: '00000Z' } } });
  const failed = await createWith([taken, taken, taken, taken, taken, '00000Y']);
  expect(failed).toMatchObject({ tried: 5, outcome: { status: 'rejected' } });
});

it('a code in a request is read without case, spaces and hyphens, O as 0, I and L as 1', async () => {
  const request = CreateLobbyRequest.parse({});
  await createLobby({ ...arena.services, newCode: () => '01ABC1' }, ada.user.id, request);
  const written = ' oi--abc  L';
  for (const act of [join, read]) expect((await act(ben, encodeURIComponent(written))).body.code).toBe('01ABC1');
  await ada.connect();
  await ada.acked({ type: 'lobby:join', code: written });
});

it('[contract 22] GET /api/v1/lobbies has the lobbies that one is a member of, on any replica, the newest first, at most 20', async () => {
  const cleo = await arena.player('Cleo', 1);
  const { lobbyId, code, settings } = await create(ada, { settings: { rounds: 7 } });
  await join(cleo, code);
  const own = await create(cleo);
  const listed = async () => (await cleo.http.get('/api/v1/lobbies')).body.lobbies;
  expect(await listed()).toMatchObject([
    { code: own.code, isHost: true, playerCount: 1, status: 'waiting' },
    { lobbyId, isHost: false, playerCount: 2, gameId: null, settings },
  ]);
  for (let count = 0; count < 20; count++) await create(cleo);
  const codes = (await listed()).map((lobby: { code: string }) => lobby.code);
  expect(codes).toHaveLength(20);
  expect(codes).not.toContain(code);
});
