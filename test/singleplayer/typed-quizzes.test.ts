// Quizzes whose answers are typed. [contract 20]
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import { codeOf } from '../support/http-client.ts';
import { listOf, storeList } from '../support/lists.ts';
import { ANSWER, commitmentTo, give, START, useQuizzes } from '../support/quizzes.ts';
import { importTestTerms } from '../support/vocabulary.ts';

const { stores, client, elsewhere, newClient, start } = useQuizzes();

type Question = GameSession['questions'][number];

const DIRECTION = { sourceLanguage: 'en', targetLanguage: 'it' };

const TERMS = [
  { sourceText: 'car', targetText: 'l’automobile / auto' },
  { sourceText: 'car', targetText: 'la macchina' },
  { sourceText: 'Car', targetText: 'vettura', sourceGloss: 'of a train' },
  { sourceText: 'book', targetText: 'libro' },
  { sourceText: 'litre', targetText: 'litro' },
];

/** Starts a typed quiz of a list's words. @returns the list, the session, and each question by its prompt */
async function startList(terms: object[] = TERMS) {
  const { listId } = await storeList(client, { ...DIRECTION, terms });
  const prompts = new Set(terms.map((term) => JSON.stringify({ ...term, targetText: '' })));
  const session = await start({ listId, answerMode: 'typed', questionCount: prompts.size });
  const of = (prompt: string, gloss?: string) =>
    session.questions.find((one) => one.prompt === prompt && one.gloss === gloss) as Question;
  return { listId, session, of };
}

const say = ({ sessionId }: GameSession, { questionId }: Question, text: string) =>
  client.post(ANSWER, { sessionId, questionId, text });

describe('a typed question', () => {
  it('has no options, and a commitment to the text that was asked', async () => {
    const session = await start({ answerMode: 'typed', questionCount: 5 });
    for (const [index, question] of session.questions.entries()) {
      const { questionId, gloss, commitment } = question;
      const shown = { prompt: expect.any(String), ...(gloss && { gloss }) };
      expect(question).toEqual({ questionId, ...shown, answerMode: 'typed', commitment });
      const { correctText, nonce, accepted } = (await give(elsewhere, session, index, { text: 'no word' })).body;
      expect(commitmentTo(questionId, correctText, nonce)).toBe(commitment);
      expect(accepted[0]).toBe(correctText);
    }
  });

  it('is judged by all translations of its prompt and gloss', async () => {
    const { session, of } = await startList();
    const { status, body } = await say(session, of('car'), '  Un’automobile! ');
    expect(status).toBe(200);
    expect(body).toEqual({
      sessionId: session.sessionId,
      questionId: of('car').questionId,
      submittedText: 'Un’automobile!',
      verdict: 'right',
      isCorrect: true,
      correctText: expect.stringMatching(/^(l’automobile \/ auto|la macchina)$/),
      accepted: expect.arrayContaining(['l’automobile / auto', 'la macchina']),
      nonce: expect.any(String),
      score: { correct: 1, answered: 1, total: 4 },
    });
    expect(body.accepted).toHaveLength(2);
  });

  it('has as accepted texts the first of its prompt, as many as 400 bytes hold beside any of them', async () => {
    const texts = Array.from({ length: 9 }, (_, at) => `${at}${'é'.repeat(39 + at)}`);
    const terms = texts.map((targetText) => ({ sourceText: 'long', targetText }));
    const { listId } = await storeList(client, { terms });
    const seen = new Set<string>();
    for (let left = 60; left > 0 && seen.size < 5; left--) {
      const session = await start({ listId, answerMode: 'typed', questionCount: 1 });
      const { body } = await say(session, session.questions[0] as Question, 'x');
      const others = texts.slice(0, 5).filter((text) => text !== body.correctText);
      expect(body.accepted).toEqual([body.correctText, ...others]);
      seen.add(body.correctText);
    }
    expect([...seen].toSorted()).toEqual(texts.slice(0, 5));
  });

  it('is one of as many as the list has prompts, also of one, which gives no question with options', async () => {
    const { listId, session, of } = await startList([{ sourceText: 'book', targetText: 'libro' }]);
    expect((await say(session, of('book'), 'libro')).body.verdict).toBe('right');
    expect(codeOf(await client.post(START, { listId, questionCount: 1 }))).toEqual([422, 'NOT_ENOUGH_DISTRACTORS']);
    const two = await client.post(START, { listId, answerMode: 'typed', questionCount: 2 });
    expect(two.body.code).toBe('NOT_ENOUGH_TERMS');
  });
});

describe('an answer that is close to an accepted translation', () => {
  const LONG = 'x'.repeat(120);
  const WORDS = [
    { sourceText: 'book', targetText: 'libro' },
    { sourceText: 'litre', targetText: 'un litro; metro (cubo)' },
    { sourceText: 'Book', targetText: 'libri', sourceGloss: 'many' },
    { sourceText: 'lip', targetText: 'labbro' },
    ...[1, 2, 3, 4].map((at) => ({ sourceText: 'lip', targetText: `${LONG.slice(1)}${at}` })),
    // The accepted translations before it have as many bytes as they may.
    { sourceText: 'lip', targetText: 'labbra' },
    { sourceText: 'lips', targetText: 'labbra' },
  ];
  const DECK = { sourceLanguage: 'de', targetLanguage: 'it', pos: 'adverb', difficulty: 'C1' };
  let listId: string;
  beforeAll(async () => {
    ({ listId } = await storeList(client, { ...DIRECTION, terms: WORDS }));
    await importTestTerms(stores.databaseUrl, WORDS, DECK);
  });

  const ask = async (words: object, prompt: string, gloss?: string) => {
    const session = await start({ ...words, answerMode: 'typed', questionCount: 5 });
    const question = session.questions.find((one) => one.prompt === prompt && one.gloss === gloss);
    return async (text: string) => {
      const { verdict, isCorrect, score } = (await say(session, question as Question, text)).body;
      expect([isCorrect, score.correct]).toEqual(verdict === 'wrong' ? [false, 0] : [true, 1]);
      return verdict;
    };
  };

  it.each([
    ['an unknown text', 'lipro', 'close'],
    ['a translation of another prompt', 'Un litro!', 'wrong'],
    ['a translation of the same prompt with another gloss', 'libri', 'wrong'],
  ])('and %s is judged and counted, in a list and a deck', async (_what, text, verdict) => {
    for (const words of [{ listId }, DECK]) expect(await (await ask(words, 'book'))(text)).toBe(verdict);
  });

  it('is close if it is a further translation of the asked prompt, and also another’s', async () => {
    expect(await (await ask({ listId }, 'lip'))('labbra')).toBe('close');
    expect(await (await ask({ listId }, 'lips'))('labbro')).toBe('wrong');
  });

  it('is judged by the list as it is now, and by the question alone when it is deleted', async () => {
    const { listId: own } = await storeList(client, { terms: WORDS });
    const [changed, deleted] = [await ask({ listId: own }, 'book'), await ask({ listId: own }, 'book')];
    const path = `/api/v1/lists/${own}`;
    const terms = [...TERMS, { sourceText: 'x', targetText: 'lipro' }];
    expect((await client.put(path, listOf({ terms }))).status).toBe(200);
    expect(await changed('lipro')).toBe('wrong');
    expect((await client.delete(path)).status).toBe(204);
    expect(await deleted('lipro')).toBe('close');
  });
});

it('an answer of 120 code points is judged, and shown after NFC', async () => {
  const text = `${'𐐨'.repeat(119)}e\u0301`;
  const { status, body } = await give(client, await start({ answerMode: 'typed' }), 0, { text });
  expect([status, body.submittedText, body.verdict]).toEqual([200, text.normalize('NFC'), 'wrong']);
});

it('an answer in another mode is 400 after 404 and 403, judged or not', async () => {
  const [typed, choice] = [await start({ answerMode: 'typed' }), await start()];
  await give(client, typed, 0, { text: 'casa' });
  const [judged, open] = typed.questions.map(({ questionId }) => questionId);
  const asChoice = { sessionId: typed.sessionId, questionId: judged, optionId: 0 };
  expect((await client.post(ANSWER, { ...asChoice, sessionId: randomUUID() })).body.code).toBe('SESSION_NOT_FOUND');
  expect((await client.post(ANSWER, { ...asChoice, questionId: randomUUID() })).body.code).toBe('QUESTION_NOT_FOUND');
  expect((await give(await newClient(), typed, 0)).body.code).toBe('SESSION_FORBIDDEN');
  for (const [request, path] of [
    [asChoice, 'optionId'],
    [{ ...asChoice, questionId: open }, 'optionId'],
    [{ sessionId: choice.sessionId, questionId: choice.questions[0]?.questionId, text: 'casa' }, 'text'],
  ] as const) {
    const { status, body } = await client.post(ANSWER, request);
    const errors = [{ path, message: expect.any(String) }];
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors } });
  }
});

it('a deck that is too large for the memory accepts translations, and knows those of other prompts, that are not in it', async () => {
  const deck = { sourceLanguage: 'de', targetLanguage: 'it', pos: 'verb', difficulty: 'C2' };
  const terms = ['parola n', 'vocabolo '].flatMap((word) =>
    Array.from({ length: 1500 }, (_, at) => ({ sourceText: `Wort ${at}`, targetText: word + (1000 + at) })),
  );
  await importTestTerms(stores.databaseUrl, terms, deck);
  const session = await start({ ...deck, answerMode: 'typed', questionCount: 40 });
  for (const [index, question] of session.questions.entries()) {
    const number = 1000 + Number(question.prompt.split(' ')[1]);
    const other = number === 2499 ? 2498 : number + 1;
    const close = `parola n${String(number).slice(0, 3)}x`;
    const text = [`vocabolo ${number}`, `parola n${number}`, close, `vocabolo ${other}`][index % 4] ?? '';
    const verdict = ['right', 'right', 'close', 'wrong'][index % 4];
    const { body } = await say(session, question, text);
    expect(body, `${question.prompt}: ${text}`).toMatchObject({ verdict });
    expect(body.accepted.toSorted()).toEqual([`parola n${number}`, `vocabolo ${number}`]);
  }
});
