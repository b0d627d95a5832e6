// Games whose answers are typed. [contract 20]
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { GameResult } from '../../src/match/schema.ts';
import { useArena } from '../support/arena.ts';
import { openTab, questionIdOf, resultOf, startGame } from '../support/game.ts';
import { storeList } from '../support/lists.ts';
import { gather, type Player } from '../support/player.ts';
import { commitmentTo } from '../support/quizzes.ts';
import { withPostgres } from '../support/sql.ts';

const arena = useArena({ env: { STORE_TIMEOUT_MS: '3000', ROUND_DURATION_MS: '30000' } });

/** One prompt with two translations, since a typed game needs no more. */
const TERMS = ['casa', 'dimora', 'abitazione', 'l’alloggio'].map((targetText) => ({ sourceText: 'house', targetText }));
const ACCEPTED = TERMS.map(({ targetText }) => targetText);

/** Starts a typed game; the first player is its host. */
async function startTyped<Names extends string[]>(names: [...Names], settings: object = {}, terms: object[] = TERMS) {
  const players = await arena.players<Names>(...names);
  const [host] = players as Player[] as [Player];
  const list = { sourceLanguage: 'en', targetLanguage: 'it', terms };
  const { listId } = await storeList(host.http, list);
  await gather(players, { settings: { listId, rounds: 1, answerMode: 'typed', ...settings } });
  host.send({ type: 'lobby:start' });
  for (const player of players) await questionIdOf(player);
  return players;
}

async function say(player: Player, text: string): Promise<void> {
  player.send({ type: 'game:answer', questionId: await questionIdOf(player), text });
}

async function storedGame<T = GameResult>({ http, next }: Player, accept = 'application/json'): Promise<T> {
  const { gameId } = await next('game:finished');
  return (await http.get(`/api/v1/games/${gameId}`, { accept })).body;
}

const csvOf = async (player: Player) => (await storedGame<string>(player, 'text/csv')).trim().split('\r\n').slice(1);

describe('a typed round', () => {
  it('is judged by verdicts, and its result shows the texts that were right', async () => {
    const [ada, ben, cy] = await startTyped(['Ada', 'Ben', 'Cy']);
    const { question } = await ben.next('game:question');
    const { questionId, commitment } = question;
    expect(question).toEqual({ questionId, prompt: 'house', answerMode: 'typed', commitment });
    await say(ada, ' Una DIMORA ');
    await say(ben, 'abitazoine');
    await say(cy, 'cassa');
    const result = await ben.next('game:answer_result');
    expect(result).toMatchObject({
      questionId,
      reason: 'all_answered',
      correctText: expect.toSatisfy((text: string) => ACCEPTED.includes(text)),
      answers: [
        { userId: ada.user.id, verdict: 'right', isCorrect: true, points: 1 },
        { userId: ben.user.id, verdict: 'close', isCorrect: true, points: 1 },
        { userId: cy.user.id, verdict: 'wrong', isCorrect: false, points: 0 },
      ],
    });
    expect(result).not.toHaveProperty('correctOptionId');
    expect(result.accepted?.toSorted()).toEqual(ACCEPTED.toSorted());
    expect(Object.keys(result.answers?.[0] ?? {})).toHaveLength(4);
    expect(commitmentTo(questionId, result.correctText ?? '', result.nonce)).toBe(commitment);
  });

  it('is wrong for another prompt’s translation that is close, unless PostgreSQL can’t tell', async () => {
    const texts = ['abitazione', 'abitazioni'] as const;
    const terms = [...texts, 'casa', 'case'].map((targetText, at) => ({ sourceText: `house ${at % 2}`, targetText }));
    const verdictsOf = async (whileOpen: () => Promise<unknown>) => {
      const [ada, ben] = await startTyped(['Ada', 'Ben'], {}, terms);
      const { question } = await ada.next('game:question');
      await whileOpen();
      await say(ada, texts[question.prompt === 'house 0' ? 1 : 0]);
      await say(ben, 'abitazionX');
      const { answers } = await ben.next('game:answer_result');
      return answers?.map(({ verdict }) => verdict);
    };
    expect(await verdictsOf(async () => {})).toEqual(['wrong', 'close']);
    await withPostgres(arena.stores.databaseUrl, async (holder) => {
      await holder.query('BEGIN');
      expect(await verdictsOf(() => holder.query('LOCK TABLE word_list'))).toEqual(['close', 'close']);
    });
  });

  it('shows nobody what others have typed, in no message', async () => {
    const [ada, ben] = await startTyped(['Ada', 'Ben'], { intermissionMs: 60_000 });
    await say(ben, 'secret words');
    await say(ada, 'casa');
    await resultOf(ada, 1);
    const elsewhere = await openTab(arena, ada, (await ada.next('lobby:state')).lobby.code);
    await elsewhere.next('game:answer_result');
    for (const player of [ada, ben, elsewhere]) expect(JSON.stringify(player.messages)).not.toContain('secret');
    elsewhere.drop();
  });
});

describe('game:answer of a typed round', () => {
  const of = (questionId: string, given: object) => ({ type: 'game:answer', questionId, ...given });
  const reasonOf = async (player: Player, message: object) => (await player.refused(message)).reason;

  it('is 400 with an option, after ROUND_CLOSED and before ALREADY_ANSWERED', async () => {
    const [ada] = await startTyped(['Ada', 'Ben']);
    const id = await questionIdOf(ada);
    expect(await reasonOf(ada, of(randomUUID(), { optionId: 0 }))).toBe('ROUND_CLOSED');
    expect(await reasonOf(ada, of(randomUUID(), { text: 'casa' }))).toBe('ROUND_CLOSED');
    expect(await reasonOf(ada, of(id, { optionId: 0 }))).toBe('VALIDATION_FAILED');
    await say(ada, 'casa');
    expect(await reasonOf(ada, of(id, { text: 'dimora' }))).toBe('ALREADY_ANSWERED');
    expect(await reasonOf(ada, of(id, { optionId: 0 }))).toBe('VALIDATION_FAILED');
  });

  it('is acknowledged anew if its text equals the stored one after NFC and trimming', async () => {
    const [ada] = await startTyped(['Ada', 'Ben']);
    const id = await questionIdOf(ada);
    for (const text of ['caff\u00e8', '  caffe\u0300 ']) await ada.acked(of(id, { text }));
    expect(await reasonOf(ada, of(id, { text: 'caffe' }))).toBe('ALREADY_ANSWERED');
    await ada.acked({ type: 'game:ready' });
    expect(ada.messages.at(-2)).toMatchObject({ type: 'game:question', yourAnswer: { text: 'caff\u00e8' } });
  });

  it('is 400 with a text where the question has options', async () => {
    const { ben } = await startGame(arena);
    expect(await reasonOf(ben, of(await questionIdOf(ben), { text: 'casa' }))).toBe('VALIDATION_FAILED');
  });
});

it('a stored typed game has everybody’s verdict, and texts for its host and of one’s own answers', async () => {
  const [ada, ben] = await startTyped(['Ada', 'Ben']);
  await say(ada, '=casa');
  await say(ben, 'dimora!');
  const answersFor = async (player: Player) => (await storedGame(player)).rounds[0]?.answers;
  expect(await answersFor(ada)).toMatchObject([
    { verdict: 'wrong', text: '=casa' },
    { verdict: 'right', text: 'dimora!' },
  ]);
  const seen = await answersFor(ben);
  expect(seen).toMatchObject([{ verdict: 'wrong' }, { verdict: 'right', text: 'dimora!' }]);
  for (const field of ['text', 'selectedOptionId']) expect(seen?.[0]).not.toHaveProperty(field);
  const [round] = (await storedGame(ben)).rounds;
  expect(round).toMatchObject({ answerMode: 'typed', accepted: expect.any(Array) });
  for (const field of ['options', 'correctOptionId']) expect(round).not.toHaveProperty(field);
  const right = round?.correctText;
  expect(ACCEPTED).toContain(right);
  expect((await csvOf(ada)).map((line) => line.split(',').slice(1, 9))).toEqual([
    ['house', '', right, ada.user.id, 'Ada', "'=casa", 'false', '0'],
    ['house', '', right, ben.user.id, 'Ben', 'dimora!', 'true', '1'],
  ]);
  expect((await csvOf(ben)).map((line) => line.split(',')[6])).toEqual(['', 'dimora!']);
});

it('a typed game of a compact lobby counts without options, and tells each player the own verdict', async () => {
  const [ada, ben, cy] = await startTyped(['Ada', 'Ben', 'Cy'], { compact: true });
  await say(ada, 'casa');
  await say(ben, 'cas');
  ada.send({ type: 'game:next', round: 1, phase: 'round' });
  const results = await Promise.all([ada, ben, cy].map((player) => resultOf(player, 1)));
  for (const result of results) {
    expect(result.counts).toEqual({ none: 1, correct: 1 });
    expect(result.verdicts).toEqual({ right: 1, close: 0, wrong: 1 });
    expect(result).not.toHaveProperty('answers');
  }
  expect(results.map(({ you }) => you)).toEqual([
    { verdict: 'right', isCorrect: true, points: 1, score: 1, rank: 1 },
    { verdict: 'wrong', isCorrect: false, points: 0, score: 0, rank: 2 },
    { verdict: null, isCorrect: false, points: 0, score: 0, rank: 2 },
  ]);
  expect((await storedGame(ben)).rounds[0]?.answers).toMatchObject([{ text: 'cas' }]);
  expect((await storedGame(ada)).rounds[0]?.answers).toHaveLength(3);
});
