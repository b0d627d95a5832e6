// lobby:start opens a game on two replicas, or refuses it. [contract 5.3, 8, 10]
import { beforeAll, describe, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { openLobby, openTab } from '../support/game.ts';
import { gather, join, type Player, read } from '../support/player.ts';
import { importTestTerms } from '../support/vocabulary.ts';

const STARTS = 3;

const arena = useArena({ env: { ROUND_DURATION_MS: '30000', RATE_LIMIT_GAME_MAX: `${STARTS}` } });
beforeAll(async () => {
  // Four words are enough for one round and too few for two.
  const terms = (difficulty: string, count: number) =>
    Array.from({ length: count }, (_, i) => ({ difficulty, sourceText: `word ${i}`, targetText: `parola ${i}` }));
  // These replace the built-in decks of the same difficulties.
  const difficulty = { in: ['B1', 'C1'] };
  await arena.services.db.deck.deleteMany({ where: { difficulty, pos: 'noun' } });
  await importTestTerms(arena.stores.databaseUrl, terms('C1', 4));
});

const START = { type: 'lobby:start' };
const refusal = (code: number, reason: string) => ({ type: 'error', code, reason });

async function expectWaiting(player: Player, code: string): Promise<void> {
  expect((await read(player, code)).body).toMatchObject({ status: 'waiting', gameId: null });
}

describe('lobby:start refuses, in this order,', () => {
  it('409 LOBBY_NOT_WAITING, however few players are connected', async () => {
    const { ada, ben } = await openLobby(arena);
    ada.send(START);
    await ada.next('game:question');
    expect(await ada.refused(START)).toMatchObject(refusal(409, 'LOBBY_NOT_WAITING'));
    await ada.nextAfter(() => ben.drop(), 'lobby:state');
    expect(await ada.refused(START)).toMatchObject(refusal(409, 'LOBBY_NOT_WAITING'));
  });

  it('409 NOT_ENOUGH_PLAYERS, before it looks for questions', async () => {
    const [ada] = await arena.players('Ada');
    const code = await gather([ada], { settings: { difficulty: 'B1' } });
    expect(await ada.refused(START)).toMatchObject(refusal(409, 'NOT_ENOUGH_PLAYERS'));
    await expectWaiting(ada, code);
  });

  it('422, and leaves the lobby waiting without an event for the others', async () => {
    const settings = { difficulty: 'C1', rounds: 5 };
    const { ada, ben, code } = await openLobby(arena, { settings });
    const seen = ben.messages.length;
    expect(await ada.refused(START)).toMatchObject(refusal(422, 'NOT_ENOUGH_TERMS'));
    await expectWaiting(ada, code);
    await ben.acked({ type: 'lobby:join', code });
    expect(ben.messages.slice(seen).map(({ type }) => type)).toEqual(['lobby:state', 'ack']);
  });
});

it('the two players that a start needs are counted on all replicas, by users, and the lobby then names the game', async () => {
  const [ada, ben] = await arena.players('Ada', 'Ben');
  const code = await gather([ada]);
  await join(ben, code);
  await openTab(arena, ada, code);
  expect(await ada.refused(START)).toMatchObject(refusal(409, 'NOT_ENOUGH_PLAYERS'));
  ben.send({ type: 'lobby:join', code });
  await ada.next('lobby:state', ({ lobby }) => lobby.players[1]?.connected === true);
  ada.send(START);
  const { gameId } = await ben.next('game:question');
  expect((await read(ben, code)).body).toMatchObject({ status: 'running', gameId });
});

it('a user who has started RATE_LIMIT_GAME_MAX games in a window is refused with 429 on every replica', async () => {
  const [ada, ben] = await arena.players('Ada', 'Ben');
  await gather([ada], {});
  // The limit counts refused starts too.
  for (let start = 0; start < STARTS; start++) expect((await ada.refused(START)).reason).toBe('NOT_ENOUGH_PLAYERS');
  const retryAfterMs = expect.toSatisfy((ms: number) => ms > 0);
  expect(await ada.refused(START)).toMatchObject({ ...refusal(429, 'RATE_LIMITED'), retryAfterMs });

  const code = await gather([ben], {});
  await join(ada, code);
  const elsewhere = await openTab(arena, ada, code);
  expect((await elsewhere.refused(START)).reason).toBe('RATE_LIMITED');
  ben.send(START);
  await ben.next('game:question');
});
