// A start with a hostile list costs about as much as a start with a deck. [contract 14, 17]
import { beforeAll, describe, expect, it } from 'vitest';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import { createListPools } from '../../src/vocabulary/pools.ts';
import { useArena } from '../support/arena.ts';
import { ASKABLE_SHORT, NEAR, ORDINARY, UNASKABLE } from '../support/hostile-inputs.ts';
import { storeList } from '../support/lists.ts';
import { gather, type Player } from '../support/player.ts';
import type { TestService } from '../support/service.ts';
import { costRatio, cpuMs } from '../support/stopwatch.ts';
import { importTestTerms } from '../support/vocabulary.ts';

const STARTS = 5;

const arena = useArena({ env: { RATE_LIMIT_GAME_MAX: '100000', LOG_LEVEL: 'error' } });
const DECK = { pos: 'adverb', difficulty: 'C2', sourceLanguage: 'fr', targetLanguage: 'de' };
let player: Player;

beforeAll(async () => {
  player = await arena.player('Ada');
  await importTestTerms(
    arena.stores.databaseUrl,
    ORDINARY.map(({ sourceText, targetText }) => ({ ...DECK, sourceText, targetText })),
  );
});

/** @returns a function that starts STARTS quizzes and expects that status of each */
const starts = (words: object, status: number) => async () => {
  for (let start = 0; start < STARTS; start++) {
    const request = { ...words, questionCount: 50 };
    expect((await player.http.post('/api/v1/game/start', request)).status).toBe(status);
  }
};

describe('[contract 14] a start with a list costs at most twice as much as one with a deck', () => {
  it.each([
    ...Object.entries(ASKABLE_SHORT).map(([what, terms]) => ({ what, terms, status: 201 })),
    ...Object.entries(UNASKABLE).map(([what, terms]) => ({ what, terms, status: 422 })),
  ])('if the list has $what ($status)', async ({ terms, status }) => {
    const { listId } = await storeList(player.http, { terms });
    const ratio = await costRatio(2, starts({ listId }, status), starts(DECK, 201));
    expect(ratio).toBeLessThan(2);
  });

  it.each(Object.entries(UNASKABLE))('also by lobby:start if the list has %s', async (_what, terms) => {
    const [host, guest] = (await arena.players('Ben', 'Cleo')) as [Player, Player];
    const { listId } = await storeList(host.http, { terms });
    await gather([host, guest], { settings: { listId, rounds: 20 } });
    const start = async () => {
      for (let time = 0; time < STARTS; time++)
        expect((await host.refused({ type: 'lobby:start' })).reason).toBe('NOT_ENOUGH_DISTRACTORS');
    };
    expect(await costRatio(2, start, starts(DECK, 201))).toBeLessThan(2);
  });
});

describe('[contract 20] typed answers cost at most twice what chosen ones cost', () => {
  let listId: string;
  beforeAll(async () => {
    ({ listId } = await storeList(player.http, { terms: NEAR }));
  });

  it.each([1, 50])('at a start with %i questions, whose alternatives are all alike', async (questionCount) => {
    const startAs = (answerMode: string) => async () => {
      for (let start = 0; start < STARTS; start++) {
        const request = { listId, answerMode, questionCount };
        expect((await player.http.post('/api/v1/game/start', request)).status).toBe(201);
      }
    };
    expect(await costRatio(2, startAs('typed'), startAs('choice'))).toBeLessThan(2);
  });

  it('at the first start with a list, whose index is stored with it', async () => {
    const firstAs = async (answerMode: string) => {
      const list = await storeList(player.http, { terms: NEAR });
      const cost = await cpuMs(() => player.http.post('/api/v1/game/start', { listId: list.listId, answerMode }));
      await player.http.request('DELETE', `/api/v1/lists/${list.listId}`);
      return cost;
    };
    const ofChoice = Math.min(await firstAs('choice'), await firstAs('choice'));
    const ofTyped = Math.min(await firstAs('typed'), await firstAs('typed'));
    expect(ofTyped).toBeLessThan(2 * ofChoice);
  });

  it('when they are refused, as they are not compared then', async () => {
    // Texts of this character take long to compare, since each stands for eighteen others.
    const text = '\u{fdfa}'.repeat(120);
    const terms = [1, 2, 3, 4].map((at) => ({ sourceText: `p${at}`, targetText: `${at} ${text.slice(2)}` }));
    const closesAt = new Date(Date.now() + 600_000).toISOString();
    const { listId } = await storeList(player.http, { terms });
    const stranger = await arena.player('Dora');
    const ofAnother = async (answerMode: string) => {
      const request = { listId, answerMode, questionCount: 2 };
      return (await player.http.post('/api/v1/game/start', request)).body;
    };
    const answered = async (answerMode: string, answer: object) => {
      const request = { title: 'x', listId, answerMode, questionCount: 2, closesAt };
      const { body } = await player.http.post('/api/v1/assignments', request);
      const attempt = await stranger.http.post(`/api/v1/assignments/${body.code}/start`);
      expect((await send(attempt.body, answer)).status).toBe(200);
      return attempt.body;
    };
    const send = ({ sessionId, questions }: GameSession, answer: object) => {
      const questionId = questions[0]?.questionId;
      return stranger.http.post('/api/v1/game/answer', { sessionId, questionId, ...answer });
    };
    const refused = (session: GameSession, answer: object, status: number) => async () => {
      for (let time = 0; time < 20; time++) expect((await send(session, answer)).status).toBe(status);
    };
    const [typed, chosen] = [{ text }, { optionId: 0 }];
    const inQuiz = await costRatio(
      2,
      refused(await ofAnother('typed'), typed, 403),
      refused(await ofAnother('choice'), chosen, 403),
    );
    const inAttempt = await costRatio(
      2,
      refused(await answered('typed', typed), typed, 409),
      refused(await answered('choice', chosen), chosen, 409),
    );
    expect([inQuiz, inAttempt].map((ratio) => ratio < 2)).toEqual([true, true]);
  });
});

describe('[contract 17] the pools of lists', () => {
  const TINY = Array.from({ length: 2000 }, (_, at) => ({
    sourceText: at.toString(36),
    targetText: (3000 + at).toString(36),
  }));
  let listId: string;
  let loads = 0;
  let [underWay, most] = [0, 0];
  let pools: ReturnType<typeof createListPools>;
  const read = (version: number) => pools.pool({ listId, version });

  beforeAll(async () => {
    ({ listId } = await storeList(player.http, { terms: TINY }));
    const { postgres } = (arena.replicas[0] as TestService).services;
    const run = postgres.query as (...statement: unknown[]) => Promise<unknown>;
    const query = async (...statement: unknown[]) => {
      loads++;
      most = Math.max(most, ++underWay);
      return run(...statement).finally(() => underWay--);
    };
    pools = createListPools({ query: query as typeof postgres.query });
  });

  it('are made two at a time, and once for all who wait for one', async () => {
    const versions = Array.from({ length: 15 }, (_, at) => at);
    await Promise.all([...versions, ...versions].map(read));
    expect(loads).toBe(15);
    expect(most).toBeLessThanOrEqual(2);
  });

  it('take a limited memory, whatever the length of the words', async () => {
    for (let version = 0; version < 60; version++) await read(version);
    loads = 0;
    for (let version = 40; version < 60; version++) await read(version);
    expect(loads).toBe(0);
    for (let version = 0; version < 20; version++) await read(version);
    expect(loads).toBe(20);
  });
});
