// What an answer, a command of the host, a departure, its end, a look and an entry make of a stored game, by the fields
// that it has: the tables go through the states that a race can meet, each at once. [contract 5.1, 5.2, 5.4, 11]
import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLobbyWriter } from '../../src/lobby/event-log.ts';
import { lobbyKeys, matchKey } from '../../src/lobby/keys.ts';
import { checkRound, storeAnswer, storeEntry, storeFinish, storeLeave, storeSkip } from '../../src/match/store.ts';
import { connectToRedis, type Fields, setFields, useStores } from '../support/stores.ts';

const stores = useStores();

const LATER = 9e12;
const LEFT = 3;
const PLAYER = '{"place":0,"name":"Ada"}';
/** An open round that waits for two of three players; Ada is one of them. */
const GAME = {
  status: 'open',
  round: 2,
  questionId: 'asked',
  answerMode: 'choice',
  openedAtMs: 1,
  deadlineMs: LATER,
  complete: '',
  version: 7,
  awaited: 2,
  present: 3,
  entered: 3,
  waitFor: 'all',
  'player:ada': PLAYER,
};
const FINISHED = { status: 'finished' };
const NO_GAME = { status: null };
const INTERMISSION = { status: 'intermission' };
const FINISHING = { status: 'finishing' };
const COMPLETE = { complete: 'all_answered' };
const OVERDUE = { deadlineMs: 1 };
const NOT_YET = { openedAtMs: LATER };
const ANSWERED = { 'answer:ada': '{"optionId":2}', 'token:ada': 'before' };

/** Acts on a game with other fields; null removes one. @returns the reply, and the fields that have changed */
async function act<T>(changes: Fields, on: (redis: ReturnType<typeof connectToRedis>, lobbyId: string) => Promise<T>) {
  const redis = connectToRedis(stores);
  onTestFinished(() => redis.disconnect());
  const lobbyId = randomUUID();
  const key = matchKey(lobbyId);
  await setFields(redis, key, { ...GAME, ...changes });
  await redis.hset(lobbyKeys(lobbyId)[0], { connectedCount: 2 });
  const before = await redis.hgetall(key);
  const reply = await on(redis, lobbyId);
  const after = await redis.hgetall(key);
  const names = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  return { reply, changed: Object.fromEntries(names.map((name) => [name, after[name] ?? null])) };
}

describe('an answer to the question of a game', () => {
  const request = { questionId: 'asked', userId: 'ada', given: { optionId: 2 }, token: 'now' };

  it('that is open is stored', async () => {
    const { reply, changed } = await act({}, (redis, lobbyId) => storeAnswer(redis, lobbyId, request));
    expect(reply).toEqual({ outcome: 'stored', match: null });
    expect(changed).toMatchObject({ awaited: '1', version: '8', 'token:ada': 'now' });
    expect(JSON.parse(changed['answer:ada'] ?? '')).toEqual({ optionId: 2, elapsedMs: expect.any(Number) });
  });

  it.each([
    ['that does not exist', NO_GAME, 'NOT_IN_GAME'],
    ['that has finished', FINISHED, 'NOT_IN_GAME'],
    ['of others', { 'player:ada': null }, 'NOT_IN_GAME'],
    ['that the player has left', { 'left:ada': LEFT }, 'NOT_IN_GAME'],
    ['that was asked before', { questionId: 'another' }, 'ROUND_CLOSED'],
    ['in its intermission', INTERMISSION, 'ROUND_CLOSED'],
    ['after the deadline', OVERDUE, 'OVERDUE'],
    ['of which the result is being stored', { ...FINISHING, ...OVERDUE }, 'ROUND_CLOSED'],
    ['before it opens', NOT_YET, 'ROUND_CLOSED'],
    ['when all others have answered', COMPLETE, 'ROUND_CLOSED'],
    ['with another mode', { answerMode: 'typed' }, 'WRONG_KIND'],
    ['that has it already', ANSWERED, 'stored'],
    ['that has it already, when a later one has opened', { ...ANSWERED, ...NOT_YET }, 'stored'],
    ['that has it as the last', { ...ANSWERED, ...COMPLETE }, 'complete'],
    ['that has another', { ...ANSWERED, 'answer:ada': '{"optionId":1}' }, 'ALREADY_ANSWERED'],
    ['that has a text', { ...ANSWERED, 'answer:ada': '{"optionId":2,"text":"x"}' }, 'ALREADY_ANSWERED'],
    ['that has finished since this request was stored', { ...FINISHED, 'token:ada': 'now' }, 'stored'],
  ])('%s changes nothing', async (_which, changes, outcome) => {
    const { reply, changed } = await act(changes, (redis, lobbyId) => storeAnswer(redis, lobbyId, request));
    expect([reply.outcome, changed]).toEqual([outcome, {}]);
  });
});

describe('a host’s command', () => {
  const next = (phase: 'round' | 'intermission', round = 2) => ({ type: 'game:next' as const, round, phase });
  const end = { type: 'game:end' as const };
  const skipped = { complete: 'skipped', version: '8' };
  it.each([
    ['ends the round', {}, next('round'), 'due', skipped],
    ['ends the intermission', INTERMISSION, next('intermission'), 'due', skipped],
    ['ends the game', {}, end, 'due', { ...skipped, ending: '1' }],
    ['ends the game after a round that is over', COMPLETE, end, 'due', { version: '8', ending: '1' }],
    ['to a game that does not exist', NO_GAME, end, 'NOT_IN_GAME', {}],
    ['to a game that has finished', FINISHED, next('round'), 'NOT_IN_GAME', {}],
    ['to end a game of which the result is being stored', FINISHING, end, 'NOT_IN_GAME', {}],
    ['to end a round, after the last', FINISHING, next('round'), 'ROUND_CLOSED', {}],
    ['to end another round', {}, next('round', 1), 'ROUND_CLOSED', {}],
    ['to end the round in its intermission', INTERMISSION, next('round'), 'ROUND_CLOSED', {}],
    ['to end another round, in one that is over', OVERDUE, next('round', 1), 'OVERDUE', {}],
    ['to end a round whose time is over', OVERDUE, next('round'), 'OVERDUE', {}],
    ['to end a round that all have answered', COMPLETE, next('round'), 'OVERDUE', {}],
  ] as const)('%s', async (_what, changes, command, reply, changed) => {
    expect(await act(changes, (redis, lobbyId) => storeSkip(redis, lobbyId, command))).toEqual({ reply, changed });
  });
});

describe('a player who leaves', () => {
  const left = { 'left:ada': '5', present: '2', version: '8' };
  const last = { awaited: 1, present: 2 };
  const over = { complete: 'player_left', present: '1' };
  it.each([
    ['an open round, which waits for one more', {}, 'left', { ...left, awaited: '1' }],
    ['an open round that waits for nobody else', last, 'complete', { ...left, ...over, awaited: '0' }],
    ['… whose time is over', { ...last, ...OVERDUE }, 'left', { ...left, present: '1', awaited: '0' }],
    ['… of present players', { waitFor: 'present' }, 'complete', { ...left, awaited: '1', complete: 'all_answered' }],
    ['a round that is over', { ...last, ...COMPLETE }, 'left', { ...left, present: '1' }],
    ['a round after the own answer', { ...last, ...ANSWERED }, 'left', { ...left, present: '1' }],
    ['an intermission', INTERMISSION, 'left', left],
    ['an intermission as the last', { ...INTERMISSION, present: 1 }, 'complete', { ...left, ...over, present: '0' }],
    ['a game of which the result is being stored', FINISHING, 'left', left],
    ['a game that does not exist', NO_GAME, 'none', {}],
    ['a finished game', FINISHED, 'none', {}],
    ['a game without playing', { 'player:ada': null }, 'none', { 'left:ada': '5' }],
    ['again', { 'left:ada': LEFT }, 'none', { 'left:ada': '5' }],
    ['before a later departure', { 'left:ada': 6 }, 'none', {}],
  ])('%s', async (_what, changes, reply, changed) => {
    expect(await act(changes, (redis, lobbyId) => storeLeave(redis, lobbyId, 'ada', 5))).toEqual({ reply, changed });
  });
});

describe('the end of a game, after which its lobby has version 5,', () => {
  const told = { reply: 'finished', changed: { status: 'finished', version: '8' } };
  it.each([
    ['is announced', {}, 4, told, { version: '5', status: 'finished' }],
    ['is announced once', FINISHED, 5, { reply: 'known', changed: {} }, { version: '5', status: 'running' }],
    ['is not that of another game', { gameId: 'another' }, 4, { reply: 'known', changed: {} }, { version: '4' }],
    ['waits for other changes of the lobby', {}, 3, { reply: 'outdated', changed: {} }, { version: '3' }],
    ['changes no newer lobby', {}, 6, told, { version: '6', status: 'running' }],
  ])('%s', async (_what, changes, version, expected, lobby) => {
    const done = await act({ ...FINISHING, gameId: 'its', ...changes }, async (redis, lobbyId) => {
      const [lobbyKey] = lobbyKeys(lobbyId);
      await redis.hset(lobbyKey, { version, status: 'running' });
      const deps = { ...createLobbyWriter(redis, 600), pendingAnnouncements: { schedule() {} } };
      const result = { gameId: 'its', scores: [], winnerIds: [] };
      const reply = await storeFinish(deps, { lobbyId, isCompact: false }, result, 5);
      expect(await redis.hgetall(lobbyKey)).toMatchObject(lobby);
      return reply;
    });
    expect(done).toEqual(expected);
  });
});

describe('the progress of a round', () => {
  const ofPresent = { waitFor: 'present' };
  const complete = { complete: 'all_answered', version: '8' };
  const LEFT_MS = expect.toSatisfy((ms: number) => ms > 0 && ms < LATER);
  it.each([
    ['that waits for all', {}, { answered: 1, awaited: 3, players: 3, dueInMs: LEFT_MS }, {}],
    ['that waits for present players, if one has answered and nobody is there', ofPresent, 'complete', complete],
    ['… or one who has left again', { ...ofPresent, awaited: 3, 'answer:ben': '{}' }, 'complete', complete],
    ['… if nobody has answered', { ...ofPresent, awaited: 3 }, { answered: 0, awaited: 0 }, {}],
    ['… after its time', { ...ofPresent, ...OVERDUE }, { answered: 1, awaited: 3 }, {}],
    ['that is over', COMPLETE, null, {}],
    ['in an intermission', INTERMISSION, null, {}],
  ])('%s', async (_which, changes, progress, changed) => {
    const done = await act(changes, checkRound);
    expect(done.changed).toEqual(changed);
    expect(done).toMatchObject({ reply: progress });
  });
});

describe('a member who enters', () => {
  const entered = { present: '4', version: '8' };
  const asNewcomer = { ...entered, entered: '4', 'player:ada': '{"place":3,"name":"Ada"}' };
  const stranger = { 'player:ada': null };
  const returning = { 'left:ada': LEFT };
  it.each([
    ['an open round', stranger, { ...asNewcomer, awaited: '3' }],
    ['a round that is over', { ...stranger, ...COMPLETE }, asNewcomer],
    ['an intermission', { ...stranger, ...INTERMISSION }, asNewcomer],
    ['again', returning, { ...entered, 'left:ada': null, awaited: '3' }],
    ['again after an answer', { ...returning, ...ANSWERED }, { ...entered, 'left:ada': null }],
    ['after leaving later', { 'left:ada': 4 }, {}],
    ['as a player', {}, {}],
    ['as who presents', { ...stranger, presenter: 'ada' }, {}],
    ['a game of which the result is being stored', { ...stranger, ...FINISHING }, {}],
  ])('%s', async (_what, changes, changed) => {
    const { changed: found } = await act(changes, (redis, lobbyId) => storeEntry(redis, lobbyId, 'ada', 'Ada', 4));
    expect(found).toEqual(changed);
  });
});
