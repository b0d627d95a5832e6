// Entering, starting and finishing a game takes one or two SQL statements each, unless the lobby changes at
// the same moment: then one more statement reads it again.
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Lobby } from '../../src/lobby/schema.ts';
import { useArena } from '../support/arena.ts';
import { answer, startGameOf } from '../support/game.ts';
import { create, join, type Player } from '../support/player.ts';

/** A replica repeats this comparison in any case. */
const COMPARISON = /^SELECT "public"\."lobby"\."id", "public"\."lobby"\."version" FROM/;

const arena = useArena({ workers: 0, env: { ROUND_DURATION_MS: '60000' } });
let statements: string[] = [];

beforeAll(() => {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [first] = args;
    const text = typeof first === 'string' ? first : (first as pg.QueryConfig).text;
    if (/lobby|game|^(BEGIN|COMMIT)/.test(text) && !COMPARISON.test(text)) statements.push(text);
    return query.apply(this, args);
  } as never);
});
afterAll(() => void vi.restoreAllMocks());

async function costOf(work: () => Promise<unknown>): Promise<number> {
  statements = [];
  await work();
  return statements.length;
}

function enter(player: Player, code: string) {
  const isThere = ({ userId, connected }: Lobby['players'][number]) => userId === player.user.id && connected;
  player.send({ type: 'lobby:join', code });
  return player.next('lobby:state', ({ lobby }) => lobby.players.some(isThere));
}

it('a lobby is created by one statement, joined by one, entered by one, started by two and finished by one', async () => {
  const [ada, ben] = await arena.players('Ada', 'Ben');
  let code = '';
  const made = await costOf(async () => {
    code = (await create(ada, { settings: { rounds: 1 } })).code;
  });
  const joined = await costOf(() => join(ben, code));
  const entered = await costOf(() => enter(ada, code));
  await enter(ben, code);
  const started = await costOf(async () => {
    ada.send({ type: 'lobby:start' });
    await Promise.all([ada, ben].map((player) => player.next('game:question')));
  });
  const finished = await costOf(async () => {
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    await Promise.all([ada, ben].map((player) => player.next('game:finished')));
  });
  expect([made, joined, entered, started, finished]).toEqual([1, 1, 1, 2, 1]);
});

it('a player who comes back to a running game on a replica that others have come back to costs no statement', async () => {
  const { players, code } = await startGameOf(arena, ['Ada', 'Ben', 'Cem']);
  const [, ben, cem] = players;
  const comeBack = (player: Player) =>
    costOf(async () => {
      await player.connect(arena.replicas[0].url);
      await player.acked({ type: 'lobby:join', code, since: player.lastSeq() });
    });
  expect(await comeBack(ben)).toBeLessThanOrEqual(1);
  expect(await comeBack(cem)).toBe(0);
  cem.send({ type: 'lobby:leave' });
  await ben.next('lobby:state', ({ lobby }) => lobby.players.length === 2);
  await cem.connect(arena.replicas[0].url);
  expect(await cem.refused({ type: 'lobby:join', code })).toMatchObject({ reason: 'NOT_A_MEMBER' });
});
