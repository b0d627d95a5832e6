// What `npm run prove` says names what it is about: the lobby, the event, the request. It times results of rooms.
import { expect, it } from 'vitest';
import { ApiError } from '../../src/client/index.ts';
import { checkLobby } from '../../src/tools/prove/checker/checker.ts';
import type { Received, Sent } from '../../src/tools/prove/history.ts';
import { resultTimes } from '../../src/tools/prove/measure-room.ts';
import { emptyProgress } from '../../src/tools/prove/prove.ts';
import { retryUntilGranted } from '../../src/tools/prove/retry.ts';
import { formatSummary } from '../../src/tools/prove/view.ts';
import { lobbyHistory } from '../support/lobby-history.ts';

const CODE = '7KQ2ZD';

it('a late event is a violation that names it and its lobby', () => {
  const { violations } = checkLobby({ ...lobbyHistory(), code: CODE }, { lateMaxMs: 10 });
  const event = expect.stringMatching(/^game:\w+, number \d$/);
  expect(violations).toEqual([expect.objectContaining({ kind: 'late', code: CODE, event })]);
});

it('a lobby that ends with an error is a violation, except for users who are out', () => {
  const { clients, ...history } = lobbyHistory();
  const failure = { code: 'NOT_A_MEMBER', message: 'Ann is no member.' };
  const ended = { ...history, clients: clients.map((client) => ({ ...client, failure })), leaving: ['ben'] };
  const { violations } = checkLobby(ended, { lateMaxMs: 60_000 });
  expect(violations).toMatchObject([{ kind: 'ended', text: "Ann's lobby ended: Ann is no member." }]);
});

it('the summary has the lobby and the event of each kind of violation', () => {
  const event = 'game:finished, number 6';
  const violations = [
    { kind: 'game', lobbyId: 'l', code: CODE, event, text: 'Ann has 2, not 1' },
    { kind: 'marks', code: CODE, text: 'a mark is too long' },
    { kind: 'marks', code: 'ZZZZZZ', text: 'a mark is too long' },
    { kind: 'trouble', text: 'lobby 7KQ2ZD: the game did not end' },
  ];
  const lines = formatSummary({ ...emptyProgress(), violations }, []).split('\n');
  expect(lines.filter((line) => line.startsWith('- '))).toEqual([
    `- 1 × game (lobby ${CODE}, ${event}): Ann has 2, not 1`,
    `- 2 × marks (first in lobby ${CODE}): a mark is too long`,
    '- 1 × trouble: lobby 7KQ2ZD: the game did not end',
  ]);
});

it('a request that is refused for good names itself', async () => {
  const context = { url: '', signal: new AbortController().signal, onTrouble: expect.fail };
  const ask = () => Promise.reject(new ApiError(409, 'LOBBY_FULL', 'The lobby is full.'));
  await expect(retryUntilGranted(context, `a join of lobby ${CODE}`, ask)).rejects.toMatchObject({
    status: 409,
    code: 'LOBBY_FULL',
    message: `a join of lobby ${CODE}: The lobby is full.`,
  });
});

const answer = (questionId: string, atMs: number) =>
  ({ message: { type: 'game:answer', questionId, optionId: 0 }, atMs }) as Sent;
const result = (questionId: string, atMs: number, reason = 'all_answered') =>
  ({ event: { type: 'game:answer_result', questionId, reason }, atMs, connection: 0 }) as Received;

it('a result is timed from the last answer of the round, whatever is sent again after it', () => {
  const quick = { sent: [answer('a', 100), answer('b', 900)], received: [result('a', 250)] };
  const cutOff = {
    sent: [answer('a', 200), answer('a', 700), answer('b', 800)],
    received: [result('a', 260), result('b', 1000, 'timeout')],
  };
  expect(resultTimes([quick, cutOff])).toEqual([50, 60]);
});
