// What `npm run prove` says names what it is about: the lobby, the event, the request. It times results of rooms.
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/client/index.ts';
import { checkLobby } from '../../src/tools/prove/checker/checker.ts';
import type { Received, Sent } from '../../src/tools/prove/history.ts';
import { resultTimes } from '../../src/tools/prove/measure-room.ts';
import { emptyProgress } from '../../src/tools/prove/prove.ts';
import { retryUntilGranted } from '../../src/tools/prove/retry.ts';
import { formatSummary } from '../../src/tools/prove/view.ts';
import { both, type HistoryChange, lobbyHistory } from '../support/lobby-history.ts';

const CODE = '7KQ2ZD';
const wrong = (change: HistoryChange) => ({ ...lobbyHistory(change), code: CODE });

describe('a violation names its lobby and its event', () => {
  it.each<[string, string, HistoryChange]>([
    ['answers', 'game:answer_result, number 3', ({ annSent }) => (annSent[1].message.optionId = 2)],
    ['game', 'game:answer_result, number 5', both(4, { isLast: false })],
    ['game', 'game:finished, number 6', both(5, { winnerIds: ['ben'] })],
    ['marks', 'game:question, number 2', both(1, { mark: '' })],
    ['numbers', 'game:question, number 4', ({ ann }) => ann.splice(2, 1)],
    ['same', 'game:answer_result, number 3', ({ ben }) => (ben[2].reason = 'timeout')],
    ['stored', 'game:finished, number 6', ({ stored }) => (stored[0].winnerIds = ['ben'])],
    ['questions', 'game:question, number 4', both(3, ({ question }) => (question.prompt = 'word 1'))],
  ])('of the kind %s: %s', (kind, event, change) => {
    const { violations } = checkLobby(wrong(change), {});
    expect(violations).toContainEqual(
      expect.objectContaining({ kind, event, code: CODE, lobbyId: expect.any(String) }),
    );
  });

  it('also if the event is late', () => {
    const { violations } = checkLobby(
      wrong(() => {}),
      { lateMaxMs: 10 },
    );
    expect(violations).toEqual([
      expect.objectContaining({ kind: 'late', code: CODE, event: expect.stringMatching(/^game:/) }),
    ]);
  });
});

it('a lobby that ends with an error is a violation, except for users who are out', () => {
  const { clients, ...history } = lobbyHistory();
  const failure = { code: 'NOT_A_MEMBER', message: 'Ann is no member.' };
  const ended = { ...history, clients: clients.map((client) => ({ ...client, failure })), leaving: ['ben'] };
  const { violations } = checkLobby(ended, { lateMaxMs: 60_000 });
  expect(violations).toEqual([
    expect.objectContaining({ kind: 'ended', text: "Ann's lobby ended: Ann is no member." }),
  ]);
});

it('the summary has the lobby and the event of each kind of violation', () => {
  const violation = { kind: 'game', lobbyId: 'l', code: CODE, text: 'Ann has 2, not 1' };
  const event = 'game:finished, number 6';
  const violations = [
    { ...violation, event },
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
