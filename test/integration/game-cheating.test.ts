// A signed-in cheat: who listens to lobbies of others, answers for others, or answers a game that is
// not theirs. (Twice and too late: game-answers.test.ts; the key before its time: no-leak.test.ts.)
// [contract 5, 17]
import { beforeAll, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { questionIdOf } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';

let ada: Player;
let ben: Player;
let eve: Player;
let code: string;
let gameId: string;

const arena = useArena();
beforeAll(async () => {
  const players = (await arena.players('Ada', 'Ben', 'Eve')) as [Player, Player, Player];
  [ada, ben, eve] = players;
  await gather([eve]);
  code = await gather([ada, ben], { settings: { rounds: 2 } });
  ada.send({ type: 'lobby:start' });
  ({ gameId } = await ben.next('game:question'));
});

it('a game can’t be answered from outside, nor seen: not by code, question or game', async () => {
  const questionId = await questionIdOf(ada, 1);
  const refusal = async (message: object) => (await eve.refused(message)).reason;
  expect(await refusal({ type: 'game:answer', questionId, optionId: 0 })).toBe('NOT_IN_GAME');
  expect(await refusal({ type: 'lobby:join', code })).toBe('NOT_A_MEMBER');
  expect(await refusal({ type: 'lobby:join', code, since: 0 })).toBe('NOT_A_MEMBER');
  expect((await eve.http.get(`/api/v1/lobbies/${code}`)).status).toBe(403);
  expect((await eve.http.get(`/api/v1/games/${gameId}`)).status).toBe(404);
  expect((await eve.http.post(`/api/v1/lobbies/${code}/join`)).status).toBe(409);
});

it('nobody answers for another: whose answer it is, what it is worth, is not the message’s to say', async () => {
  const questionId = await questionIdOf(ada, 1);
  for (const more of [
    { userId: ben.user.id },
    { playerId: ben.user.id },
    { isCorrect: true },
    { points: 1000 },
    { gameId },
    { round: 1 },
    { answeredAt: 0 },
  ]) {
    const { code: status } = await ada.refused({
      ...{ type: 'game:answer', questionId, optionId: 0 },
      ...more,
    });
    expect(status, JSON.stringify(more)).toBe(400);
  }
  // Ben has not answered yet: his own answer is taken, and both count for whoever sent them.
  ada.send({ type: 'game:answer', questionId, optionId: 1 });
  ben.send({ type: 'game:answer', questionId, optionId: 2 });
  const { answers } = await ada.next('game:answer_result');
  const chosen = Object.fromEntries(answers.map((one) => [one.userId, one.selectedOptionId]));
  expect(chosen).toEqual({ [ada.user.id]: 1, [ben.user.id]: 2 });
});

it('of a lobby of others not one event comes to a socket, from the first to the last', async () => {
  const questionId = await questionIdOf(ada, 2);
  for (const player of [ada, ben]) player.send({ type: 'game:answer', questionId, optionId: 0 });
  await ada.next('game:finished');
  // What was sent before the answer to this would be here.
  eve.send({ type: 'game:ready' });
  await eve.next('lobby:state', ({ lobby }) => lobby.status === 'waiting', 1);
  const heard = JSON.stringify(eve.messages);
  for (const secret of [gameId, questionId, ada.user.id, ben.user.id, code])
    expect(heard).not.toContain(secret);
});
