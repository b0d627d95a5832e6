// A signed-in cheat tries to listen to lobbies of others, answer for others, and answer a foreign game.
// Second and late answers: game-answers.test.ts; a key before its time: no-leak.test.ts. [contract 5, 17]
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
  const players = await arena.players('Ada', 'Ben', 'Eve');
  [ada, ben, eve] = players;
  await gather([eve]);
  code = await gather([ada, ben], { settings: { rounds: 2 } });
  ada.send({ type: 'lobby:start' });
  ({ gameId } = await ben.next('game:question'));
});

it('a game can be neither seen nor answered by an outsider who knows its code, question and id', async () => {
  const questionId = await questionIdOf(ada, 1);
  const refusal = async (message: object) => (await eve.refused(message)).reason;
  expect(await refusal({ type: 'game:answer', questionId, optionId: 0 })).toBe('NOT_IN_GAME');
  expect(await refusal({ type: 'lobby:join', code })).toBe('NOT_A_MEMBER');
  expect(await refusal({ type: 'lobby:join', code, since: 0 })).toBe('NOT_A_MEMBER');
  expect((await eve.http.get(`/api/v1/lobbies/${code}`)).status).toBe(403);
  expect((await eve.http.get(`/api/v1/games/${gameId}`)).status).toBe(404);
  expect((await eve.http.post(`/api/v1/lobbies/${code}/join`)).status).toBe(409);
});

it('a socket gets no event of a lobby in which its user is not a member', async () => {
  let questionId = '';
  for (const round of [1, 2]) {
    questionId = await questionIdOf(ada, round);
    for (const player of [ada, ben]) player.send({ type: 'game:answer', questionId, optionId: 0 });
  }
  await ada.next('game:finished');
  // The service sends in order: all that it sent before this state would have arrived.
  eve.send({ type: 'game:ready' });
  await eve.next('lobby:state', ({ lobby }) => lobby.status === 'waiting', 1);
  const received = JSON.stringify(eve.messages);
  for (const secret of [gameId, questionId, ada.user.id, ben.user.id, code]) expect(received).not.toContain(secret);
});
