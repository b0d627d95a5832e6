// Topics of decks, and the preferred one of a prompt's translations. [contract 26]
import { beforeAll, describe, expect, test } from 'vitest';
import { type Pool, preparePool, type Term, topicPool } from '../../src/vocabulary/rules.ts';
import type { Deck } from '../../src/vocabulary/schema.ts';
import { learn } from '../../worker/learn.ts';
import { ASSIGNMENTS, assignmentOf } from '../support/homework.ts';
import { codeOf, type HttpClient } from '../support/http-client.ts';
import { createLearner } from '../support/quizzes.ts';
import { useService } from '../support/service.ts';
import { play, readBuiltInDecks, stored, words } from '../support/terms.ts';
import { createPerson } from '../support/users.ts';

const DECK: Deck = { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' };

const { service } = useService({}, { hasWords: true });
let client: HttpClient;
let food: Set<string>;
/** By prompt the preferred translation, and the other ones. */
const preferred = new Map<string, string>();
const others = new Map<string, string[]>();

beforeAll(async () => {
  ({ client } = await createPerson(service));
  const pool = (await readBuiltInDecks()).get('en it noun A1') as Pool;
  food = new Set(pool.terms.filter(({ field }) => field === 'food').map(({ sourceText }) => sourceText));
  for (const { sourceText, targetText } of pool.terms) preferred.set(sourceText, targetText);
  for (const { sourceText, targetText, isAlternative } of [...pool.byPrompt.values()].flat())
    if (isAlternative) others.set(sourceText, [...(others.get(sourceText) ?? []), targetText]);
});

const start = (body: object) => client.post('/api/v1/game/start', body);

async function questionsOfFood(): Promise<number> {
  const { decks } = (await client.get('/api/v1/vocabulary')).body;
  const { topics } = decks.find((deck: Deck) => deck.pos === 'noun' && deck.difficulty === 'A1');
  return topics.find(({ topic }: { topic: string }) => topic === 'food').questions;
}

describe('[contract 26] a quiz with a topic', () => {
  test.each(['choice', 'typed'])('asks all its words, and no others, in the mode %s', async (answerMode) => {
    const questionCount = await questionsOfFood();
    expect(questionCount).toBe(food.size);
    const { questions } = (await start({ ...DECK, topic: 'food', questionCount, answerMode })).body;
    expect(questions.map(({ prompt }: { prompt: string }) => prompt).sort()).toEqual([...food].sort());
    const ofFood = new Set([...food].map((prompt) => preferred.get(prompt)));
    for (const { options = [] } of questions) for (const { text } of options) expect(ofFood.has(text), text).toBe(true);
    const more = { ...DECK, topic: 'food', questionCount: questionCount + 1, answerMode };
    expect(codeOf(await start(more))).toEqual([422, 'NOT_ENOUGH_TERMS']);
  });

  test('is refused for a topic that the deck has not, and beside a list', async () => {
    expect(codeOf(await start({ topic: 'astronomy', questionCount: 1 }))).toEqual([422, 'NO_MATCHING_TERMS']);
    const listId = '5b0f6d0a-3a0e-4a57-8f0b-1a9b8c7d6e5f';
    for (const body of [{ listId, topic: 'food' }, { topic: '' }, { topic: 'x'.repeat(41) }])
      expect(codeOf(await start(body))).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('asks those words of the topic first that are due, whatever else is', async () => {
    const learner = await createLearner(service);
    const { questions } = await learner.play(['right', 'wrong'], { ...DECK, topic: 'food', questionCount: 2 });
    await learner.play(Array(8).fill('wrong'), { ...DECK, topic: 'nature', questionCount: 8 });
    await learn(service.services);
    const past = new Date(Date.now() - 60_000);
    await service.services.db.learnedWord.updateMany({ where: { userId: learner.user.id }, data: { due: past } });
    const again = await learner.start({ ...DECK, topic: 'food', questionCount: 5, order: 'smart' });
    const prompts = again.questions.map(({ prompt }) => prompt);
    expect(prompts.slice(0, 2).sort()).toEqual(questions.map(({ prompt }) => prompt).sort());
    for (const prompt of prompts) expect(food.has(prompt), prompt).toBe(true);
  });

  test('[contract 4, 21] is a field of settings and assignments', async () => {
    const lobby = await client.post('/api/v1/lobbies', { settings: { ...DECK, topic: 'food' } });
    expect(lobby.body.settings).toMatchObject({ ...DECK, topic: 'food' });
    const request = assignmentOf({ ...DECK, topic: 'food' });
    const { code, topic } = (await client.post(ASSIGNMENTS, request)).body;
    expect(topic).toBe('food');
    const { questions } = (await client.post(`${ASSIGNMENTS}/${code}/start`)).body;
    for (const { prompt } of questions) expect(food.has(prompt), prompt).toBe(true);
  });
});

describe('[contract 26] of a prompt’s translations the first one of its file', () => {
  test('is the only one that options show', async () => {
    const shown = new Set(preferred.values());
    for (let game = 0; game < 5; game++) {
      const { questions } = (await start({ ...DECK, questionCount: 50 })).body;
      for (const { options } of questions) for (const { text } of options) expect(shown.has(text), text).toBe(true);
    }
    expect(preferred.get('car')).toBe('macchina');
    expect(shown.has('auto')).toBe(false);
  });

  test('is the correct text where answers are typed, and the others are accepted', async () => {
    const { sessionId, questions } = (await start({ ...DECK, questionCount: 50, answerMode: 'typed' })).body;
    const asked = questions.filter(({ prompt }: { prompt: string }) => others.has(prompt));
    expect(asked.length).toBeGreaterThan(0);
    for (const { questionId, prompt } of asked) {
      const [text = ''] = others.get(prompt) ?? [];
      const { body } = await client.post('/api/v1/game/answer', { sessionId, questionId, text });
      expect(body).toMatchObject({ verdict: 'right', correctText: preferred.get(prompt) });
      expect(body.accepted).toContain(text);
    }
  });
});

describe('[contract 26] the wrong options of a topic', () => {
  const termsOf = (count: number, field: string): Term[] =>
    words(count, field).map((one) => ({ ...stored(one), field }));
  /** @returns the fields of all options of a topic of so many words, in a deck that has others */
  const fieldsOf = (count: number) => {
    const ofTopic = termsOf(count, 'a');
    const pool = topicPool(preparePool([...ofTopic, ...termsOf(9, 'b')], []), ofTopic);
    return play(pool, count).flatMap(({ question }) => question.options.map(({ text }) => text.slice(2, 3)));
  };

  test('are of the topic where it has three, else of the deck', () => {
    expect(fieldsOf(4)).toEqual(Array(16).fill('a'));
    expect(fieldsOf(3)).toHaveLength(12);
    expect(fieldsOf(3)).toContain('b');
  });
});
