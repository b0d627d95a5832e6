// The events of a compact lobby don't name its members: who has left it gets none of them all the same, and who is
// host gets what a host gets. [contract 10, 11, 19]
import { randomUUID } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import type { GameResult } from '../../src/match/schema.ts';
import { createRoom } from '../../src/realtime/room.ts';
import type { Services } from '../../src/services.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { answer, lobbyIdOf } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';

const arena = useArena({ env: { ROUND_DURATION_MS: '30000' } });
afterEach(() => vi.restoreAllMocks());

/** Opens a compact lobby, whose host presents. */
async function open(settings: object = {}): Promise<{ players: Player[]; code: string }> {
  const all = await arena.players('Host', 'Ada', 'Ben');
  const code = await gather(all, { settings: { compact: true, hostPlays: false, ...settings } });
  return { players: all, code };
}

/** Holds the replies to readings of a roster with its version until `release` is called. */
function holdRosters({ redis }: Services): { held(): number; release(): void } {
  const released = Promise.withResolvers<void>();
  let held = 0;
  const read = redis.hmget.bind(redis) as (...args: unknown[]) => Promise<(string | null)[]>;
  vi.spyOn(redis, 'hmget').mockImplementation(async (...args: unknown[]) => {
    const reply = await read(...args);
    if (!args.includes('version')) return reply;
    held++;
    await released.promise;
    return reply;
  });
  return { held: () => held, release: released.resolve };
}

/** Opens a room that pub/sub does not reach, and a listener of `user` that takes everything at once. */
function openRoom(lobbyId: string, { user }: Player) {
  const removed = vi.fn();
  const room = createRoom(arena.replicas[0]?.services as Services, lobbyId, removed);
  const taken = Promise.resolve(true);
  const names = { id: randomUUID(), userId: user.id, userName: user.name };
  return { room, removed, listener: { ...names, taken, send() {}, sendChunk: () => taken } };
}

it('a socket whose user leaves while its replica reads the members gets out', async () => {
  const { players } = await open();
  const [host, ada] = players as [Player, Player];
  const { room, removed, listener } = openRoom(lobbyIdOf(host), ada);
  await room.subscribe(listener, undefined);
  const rosters = holdRosters(arena.replicas[0]?.services as Services);
  host.send({ type: 'lobby:lock', locked: true });
  await host.next('lobby:state', ({ lobby }) => lobby.locked);
  await room.fill();
  await eventually(() => expect(rosters.held()).toBeGreaterThan(0));
  ada.send({ type: 'lobby:leave' });
  await host.next('lobby:state', ({ lobby }) => lobby.playerCount === 2);
  await room.fill();
  rosters.release();
  await eventually(() => expect(removed).toHaveBeenCalledOnce());
});

it('a socket whose user has left gets out when its replica reads that from the log', async () => {
  const { players } = await open();
  const [host, ada] = players as [Player, Player];
  const { room, removed, listener } = openRoom(lobbyIdOf(host), ada);
  await room.subscribe(listener, undefined);
  ada.send({ type: 'lobby:leave' });
  await host.next('lobby:state', ({ lobby }) => lobby.playerCount === 2);
  await room.fill();
  await eventually(() => expect(removed).toHaveBeenCalledOnce());
});

it('a socket whose user leaves between the check of its membership and its replay gets out', async () => {
  const { players } = await open();
  const [host, ada] = players as [Player, Player];
  const since = { seq: host.lastSeq() };
  ada.send({ type: 'lobby:leave' });
  await host.next('lobby:state', ({ lobby }) => lobby.playerCount === 2);
  const { room, removed, listener } = openRoom(lobbyIdOf(host), ada);
  await room.subscribe(listener, since);
  await eventually(() => expect(removed).toHaveBeenCalledOnce());
});

it('the role of a presenting host who leaves passes to a player, who then gets the whole game', async () => {
  const { players, code } = await open({ rounds: 1, lateJoin: true });
  const [host, ada, ben] = players as [Player, Player, Player];
  host.send({ type: 'lobby:start' });
  await ben.next('game:question');
  host.send({ type: 'lobby:leave' });
  const passed = await ben.next('lobby:state', ({ lobby }) => lobby.hostId === ada.user.id);
  expect(passed.lobby.players).toMatchObject([
    { name: 'Ada', isHost: true, plays: true },
    { name: 'Ben', isHost: false, plays: true },
  ]);
  // Who presented goes on presenting, as a member without the role. [contract 11]
  await host.http.post(`/api/v1/lobbies/${code}/join`, {});
  host.send({ type: 'lobby:join', code });
  const back = await host.next(
    'lobby:state',
    ({ lobby, snapshot }) => !snapshot && lobby.connectedCount === 3 && lobby.hostId !== host.user.id,
  );
  expect(back.lobby.players).toMatchObject([
    { name: 'Ada', isHost: true },
    { name: 'Host', isHost: false, plays: false },
  ]);
  for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
  const { gameId } = await ada.next('game:finished');
  expect(await host.next('game:finished')).not.toHaveProperty('you');
  const namesFor = async ({ http }: Player) => {
    const { body }: { body: GameResult } = await http.get(`/api/v1/games/${gameId}`);
    return body.rounds.map(({ answers }) => answers.map(({ userId }) => userId));
  };
  expect(await namesFor(ada)).toEqual([[ada.user.id, ben.user.id]]);
  expect(await namesFor(ben)).toEqual([[ben.user.id]]);
  expect(await namesFor(host)).toEqual([[]]);
});
