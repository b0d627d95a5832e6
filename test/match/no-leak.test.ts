// Nobody can see the right option of a question before the question is judged. [contract 5.10]
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { renderMetrics } from '../../src/platform/observability/metrics.ts';
import { useArena } from '../support/arena.ts';
import { correctOptionOf, lobbyIdOf, questionIdOf, questionsOf } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';
import { SHORT_OUTAGES } from '../support/service.ts';

const ROUNDS = 3;
/** The length of a round, in ms: long enough for all attempts of the test, the outage of Redis included. */
const ROUND_MS = 20_000;

/** Messages, log lines, responses, metrics and names of keys, in the order in which they appeared. */
const seen: { where: string; text: string }[] = [];

const log = new Writable({
  write(chunk, _encoding, done) {
    seen.push({ where: 'log', text: String(chunk) });
    done();
  },
});

const arena = useArena({ env: { ...SHORT_OUTAGES, LOG_LEVEL: 'trace', ROUND_DURATION_MS: `${ROUND_MS}` }, log });

/** Records what clients and operators can read at this moment. */
async function recordPublicState(players: Player[], code: string, gameId: string): Promise<void> {
  const record = (where: string, value: unknown) =>
    seen.push({ where, text: typeof value === 'string' ? value : JSON.stringify(value) });
  for (const { http } of players) {
    record('lobby', (await http.get(`/api/v1/lobbies/${code}`)).body);
    record('game', (await http.get(`/api/v1/games/${gameId}`)).body);
  }
  record('metrics', (await renderMetrics()).text);
  record('keys', await arena.services.redis.keys('*'));
}

/** Records each message to a player when it arrives. */
function recordMessages(player: Player): void {
  const { messages } = player;
  const push = messages.push.bind(messages);
  messages.push = (...all) => {
    for (const message of all) seen.push({ where: 'message', text: JSON.stringify(message) });
    return push(...all);
  };
}

/** Provokes every refusal of an answer, in round 2 also that of an outage of Redis. */
async function provokeRefusals(players: [Player, Player], round: number): Promise<void> {
  const [ada, ben] = players;
  const questionId = await questionIdOf(ada, round);
  for (const player of players) {
    player.send({ type: 'game:ready' });
    await player.refused({ type: 'game:answer', questionId, optionId: 9 });
    await player.refused({ type: 'game:answer', questionId: randomUUID(), optionId: 0 });
    await player.refused({ type: 'lobby:start' });
  }
  ada.send({ type: 'game:answer', questionId, optionId: round });
  await ada.refused({ type: 'game:answer', questionId, optionId: 0 });
  if (round !== 2) return;
  arena.stores.redis.pause();
  await ben.refused({ type: 'game:answer', questionId, optionId: 1 });
  arena.stores.redis.resume();
}

it('shows the right option of no question in a message, response, log line, metric or key’s name before its judgement', async () => {
  const players = await arena.players('Ada', 'Ben');
  for (const player of players) recordMessages(player);
  const [ada, ben] = players;
  const code = await gather(players, { settings: { rounds: ROUNDS } });
  ada.send({ type: 'lobby:start' });
  const { gameId } = await ben.next('game:question');
  const questions = await questionsOf(arena.services.redis, lobbyIdOf(ada));
  for (let round = 1; round <= ROUNDS; round++) {
    await recordPublicState(players, code, gameId);
    await provokeRefusals(players, round);
    await recordPublicState(players, code, gameId);
    ben.send({ type: 'game:answer', questionId: await questionIdOf(ben, round), optionId: 3 });
    await ben.next('game:answer_result', (result) => result.round === round);
  }
  await ben.next('game:finished');
  const places = new Set(seen.map(({ where }) => where));
  expect(places).toEqual(new Set(['log', 'message', 'lobby', 'game', 'metrics', 'keys']));

  for (const sealed of questions) {
    const { questionId, options = [] } = sealed.question;
    const judgedAt = seen.findIndex(({ text }) => text.includes('"game:answer_result"') && text.includes(questionId));
    const openedAt = seen.findIndex(({ text }) => text.includes('"game:question"') && text.includes(questionId));
    expect(openedAt).toBeGreaterThan(-1);
    expect(judgedAt).toBeGreaterThan(openedAt);
    for (const { where, text } of seen.slice(0, openedAt)) expect(text, where).not.toContain(questionId);
    const right = options[correctOptionOf(sealed)]?.text as string;
    for (const { where, text } of seen.slice(openedAt, judgedAt)) {
      if (where === 'message' && text.includes(questionId)) {
        const message = JSON.parse(text);
        // The comparison names all fields, so that a new one can't leak the right option.
        const { snapshot: _, yourAnswer: __, ...event } = message;
        expect(event).toEqual({
          type: 'game:question',
          gameId,
          totalRounds: ROUNDS,
          seq: expect.any(Number),
          mark: expect.stringMatching(/^[0-9a-f]{16}$/),
          round: questions.indexOf(sealed) + 1,
          question: sealed.question,
          durationMs: ROUND_MS,
          opensInMs: 0,
          remainingMs: expect.any(Number),
          deadline: expect.any(String),
        });
        expect(Object.keys(message.question.options[0]).sort()).toEqual(['optionId', 'text']);
      } else if (where !== 'message') {
        expect(text, where).not.toContain(questionId);
        expect(text, where).not.toContain(`"${right}"`);
      }
      if (!text.includes('"game:answer_result"')) expect(text, where).not.toMatch(/correctOption/i);
    }
  }
  // The log contains neither questions nor their right options, even at its finest level and afterwards.
  const logged = seen.filter(({ where }) => where === 'log').map(({ text }) => text);
  expect(logged.some((line) => line.includes('game started'))).toBe(true);
  for (const line of logged) expect(line).not.toMatch(/correctOption|"prompt"|"options"/);
});
