// The service checks each message in a fixed order and refuses it with its reason. [contract 5, 11]
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CLIENT_MESSAGES } from '../../src/realtime/messages.ts';
import { useArena } from '../support/arena.ts';
import { answer, openLobby, startGame } from '../support/game.ts';
import { gather, join, type Player, playerOf } from '../support/player.ts';

const arena = useArena({ env: { ROUND_DURATION_MS: '60000' } });

const CONFIGURE = { type: 'lobby:configure', settings: { rounds: 2 } };
const LOCK = { type: 'lobby:lock', locked: true };
const KICK = { type: 'lobby:kick', userId: randomUUID() };
const AGAIN = { type: 'lobby:again' };
const NEXT = { type: 'game:next', round: 1, phase: 'round' };
const END = { type: 'game:end' };

type Refusal = [message: object, reason: string];

async function expectRefusals(player: Player, refusals: Refusal[]): Promise<void> {
  for (const [message, reason] of refusals)
    expect([message, (await player.refused(message)).reason]).toEqual([message, reason]);
}

const ROWS = Object.values(CLIENT_MESSAGES);
/** The messages that only a host may send, each refused with NOT_HOST. */
const BY_OTHERS = ROWS.filter(({ who }) => who === 'host').map(
  ({ examples: [message] }): Refusal => [message as object, 'NOT_HOST'],
);

it('every message is refused outside of any lobby as its row says first', async () => {
  const [ada] = await arena.players('Ada');
  for (const { examples, refusals } of ROWS)
    await expectRefusals(ada, [[examples[0] as object, refusals[0] as string]]);
});

it('every message with a ref that has taken effect gets one ack, on its socket alone and without a number', async () => {
  const { ada, ben, code } = await openLobby(arena, { settings: { rounds: 2, intermissionMs: 300_000 } });
  const again = playerOf(ada.user, arena.replicas[0].url);
  await again.connect();
  const sent: string[] = [];
  /** @returns the types of the messages before the ack */
  const send = async (message: { type: keyof typeof CLIENT_MESSAGES }, by = again) => {
    sent.push(message.type);
    const before = by.messages.length;
    const ack = await by.acked(message);
    expect(Object.keys(ack)).toEqual(['type', 'ref']);
    return by.messages.slice(before, by.messages.indexOf(ack)).map(({ type }) => type);
  };
  // The snapshot comes before the ack, and so does the first chunk of a replay.
  expect(await send({ type: 'lobby:join', code } as never)).toContain('lobby:state');
  expect(await send({ type: 'lobby:join', code, since: 0 } as never, ada)).toContain('lobby:state');
  const resumed = playerOf(ada.user, arena.replicas[1]?.url as string);
  await resumed.connect();
  expect(await send({ type: 'lobby:join', code, since: 0 } as never, resumed)).toContain('lobby:state');
  expect(await send({ type: 'game:ready' })).toContain('lobby:state');
  await send(CONFIGURE as never);
  await send(LOCK as never);
  await send({ type: 'lobby:start' });
  const { question } = await again.next('game:question');
  expect(await send({ type: 'game:ready' })).toContain('game:question');
  await send({ type: 'game:answer', questionId: question.questionId, optionId: 0 } as never);
  await send(NEXT as never);
  await send(END as never);
  await again.next('game:finished');
  await send(AGAIN as never);
  await send({ ...KICK, userId: ben.user.id } as never);
  await again.next('lobby:state', ({ lobby }) => lobby.players.length === 1);
  await send({ type: 'lobby:leave' });
  expect(new Set(sent)).toEqual(new Set(Object.keys(CLIENT_MESSAGES)));
  // The service handles a socket's messages in turn, so that a second ack would have come before this refusal.
  for (const each of [ada, again, resumed]) await each.refused({ type: 'nothing' });
  // Who leaves gets the ack and nothing else.
  expect(again.messages.slice(-2).map(({ type }) => type)).toEqual(['ack', 'error']);
  const acks = [ada, again, resumed].flatMap(({ messages }) => messages.filter(({ type }) => type === 'ack'));
  expect(new Set(acks.map((ack) => 'ref' in ack && ack.ref)).size).toBe(sent.length);
  expect(acks).toHaveLength(sent.length);
  expect(ben.messages.some(({ type }) => type === 'ack')).toBe(false);
});

describe('a host’s message is refused', () => {
  it('with VALIDATION_FAILED when it is malformed, before the lobby is looked up', async () => {
    const [ada] = await arena.players('Ada');
    await expectRefusals(ada, [
      [{ ...CONFIGURE, settings: { rounds: 0 } }, 'VALIDATION_FAILED'],
      [{ ...CONFIGURE, capacity: 1001 }, 'VALIDATION_FAILED'],
      [{ ...KICK, userId: ada.user.id }, 'VALIDATION_FAILED'],
      [{ ...NEXT, phase: 'pause' }, 'VALIDATION_FAILED'],
    ]);
  });

  it('with NOT_HOST from any other player, in every state of the lobby', async () => {
    const { ada, ben } = await openLobby(arena, { settings: { rounds: 1 } });
    await expectRefusals(ben, BY_OTHERS);
    ada.send({ type: 'lobby:start' });
    await ben.next('game:question');
    await expectRefusals(ben, BY_OTHERS);
    ada.send(END);
    await ben.next('game:finished');
    await expectRefusals(ben, BY_OTHERS);
  });

  it('in a waiting lobby when it needs a game or an unknown player, or does not fit the lobby', async () => {
    const { ada, code } = await openLobby(arena);
    await expectRefusals(ada, [
      [{ ...CONFIGURE, settings: { sourceLanguage: 'it' } }, 'VALIDATION_FAILED'],
      [KICK, 'PLAYER_NOT_FOUND'],
      [AGAIN, 'LOBBY_NOT_FINISHED'],
      [NEXT, 'NOT_IN_GAME'],
      [END, 'NOT_IN_GAME'],
    ]);
    const [cleo] = await arena.players('Cleo');
    expect((await join(cleo, code)).status).toBe(200);
    await expectRefusals(ada, [
      [{ type: 'lobby:configure', capacity: 2 }, 'LOBBY_FULL'],
      // Conflicting settings are refused before a capacity below the number of players.
      [{ ...CONFIGURE, settings: { sourceLanguage: 'it' }, capacity: 2 }, 'VALIDATION_FAILED'],
    ]);
  });

  it('in a running game when it needs a waiting or finished lobby, or another phase', async () => {
    const { ada, ben } = await startGame(arena, { rounds: 2, intermissionMs: 300_000 });
    await expectRefusals(ada, [
      [{ ...CONFIGURE, settings: { sourceLanguage: 'it' }, capacity: 2 }, 'LOBBY_NOT_WAITING'],
      [KICK, 'PLAYER_NOT_FOUND'],
      [AGAIN, 'LOBBY_NOT_FINISHED'],
      [{ ...NEXT, round: 2 }, 'ROUND_CLOSED'],
      [{ ...NEXT, phase: 'intermission' }, 'ROUND_CLOSED'],
    ]);
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    await ada.next('game:answer_result');
    await expectRefusals(ada, [
      [NEXT, 'ROUND_CLOSED'],
      [{ ...NEXT, round: 2 }, 'ROUND_CLOSED'],
      [{ ...NEXT, round: 2, phase: 'intermission' }, 'ROUND_CLOSED'],
    ]);
  });

  it('after the game unless it locks or reopens the lobby', async () => {
    const { ada, ben } = await startGame(arena, { rounds: 1 });
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    await ada.next('game:finished');
    await expectRefusals(ada, [
      [CONFIGURE, 'LOBBY_NOT_WAITING'],
      [KICK, 'PLAYER_NOT_FOUND'],
      [NEXT, 'NOT_IN_GAME'],
      [END, 'NOT_IN_GAME'],
    ]);
    ada.send(LOCK);
    await ben.next('lobby:state', ({ lobby }) => lobby.locked);
  });
});

it('a host’s message that changes nothing gives its sender alone a lobby:state, which is a snapshot', async () => {
  const { ada, ben } = await openLobby(arena);
  const [last, toBen] = [ben.lastSeq(), ben.messages.length];
  const unchanged = { seq: last, snapshot: true, lobby: { locked: false } };
  for (const message of [
    { type: 'lobby:configure' },
    { type: 'lobby:configure', capacity: 8, settings: {} },
    { type: 'lobby:configure', settings: { rounds: 3 } },
    { type: 'lobby:lock', locked: false },
  ])
    expect(await ada.nextAfter(message, 'lobby:state')).toMatchObject(unchanged);
  ada.send(LOCK);
  await ben.next('lobby:state', ({ lobby }) => lobby.locked);
  expect(ben.messages.slice(toBen)).toMatchObject([{ seq: last + 1, lobby: { locked: true } }]);
});

it('joining over HTTP is refused in the order KICKED, LOBBY_NOT_WAITING, LOBBY_LOCKED, LOBBY_FULL', async () => {
  const settings = { rounds: 2, lateJoin: true };
  const [ada, ben, cleo, dan] = await arena.players('Ada', 'Ben', 'Cleo', 'Dan');
  const code = await gather([ada, ben], { capacity: 2, settings });
  const tryAs = async (player: Player) => {
    const { status, body } = await join(player, code);
    return status === 200 ? 200 : body.code;
  };
  expect(await tryAs(cleo)).toBe('LOBBY_FULL');
  await ada.acked(LOCK);
  expect([await tryAs(cleo), await tryAs(ben)]).toEqual(['LOBBY_LOCKED', 200]);
  await ada.acked({ type: 'lobby:start' });
  expect([await tryAs(cleo), await tryAs(ben)]).toEqual(['LOBBY_LOCKED', 200]);
  await ada.acked({ ...LOCK, locked: false });
  expect(await tryAs(cleo)).toBe('LOBBY_FULL');
  await ada.acked({ ...KICK, userId: ben.user.id });
  expect([await tryAs(ben), await tryAs(cleo)]).toEqual(['KICKED', 200]);
  await ada.acked(END);
  await ada.next('game:finished');
  expect([await tryAs(dan), await tryAs(cleo)]).toEqual(['LOBBY_NOT_WAITING', 'LOBBY_NOT_WAITING']);
  expect(await tryAs(ben)).toBe('KICKED');
});
