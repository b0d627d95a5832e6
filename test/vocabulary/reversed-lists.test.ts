// A list is asked the other way round: its prompts are the translations, and its words are words of their own for the
// memory. [contract 26]
import { describe, expect, test } from 'vitest';
import { handOver } from '../../src/accounts/hand-over.ts';
import { learn } from '../../worker/learn.ts';
import { codeOf } from '../support/http-client.ts';
import { listOf, storeList, termsOf } from '../support/lists.ts';
import { createLearner, give, type Learner, START } from '../support/quizzes.ts';
import { useService } from '../support/service.ts';

const { service } = useService();

/** Two meanings of one word, and two words with one meaning. */
const TERMS = [
  { sourceText: 'die Bank', targetText: 'pankki', sourceGloss: 'für Geld' },
  { sourceText: 'die Bank', targetText: 'penkki', sourceGloss: 'zum Sitzen' },
  { sourceText: 'der Samstag', targetText: 'lauantai' },
  { sourceText: 'der Sonnabend', targetText: 'lauantai' },
  ...termsOf(4),
];
const PROMPTS = ['lauantai', 'pankki', 'penkki', 'sana 1', 'sana 2', 'sana 3', 'sana 4'];
const ANSWERS = [...new Set(TERMS.map(({ sourceText }) => sourceText))];

async function learnerWithList(terms: object[] = TERMS) {
  const learner = await createLearner(service);
  const { listId } = await storeList(learner.client, { terms });
  return { learner, listId, asked: { listId, reverse: true } };
}

const start = ({ client }: Learner, body: object) => client.post(START, body);

describe('[contract 26] a quiz with a list in reverse', () => {
  test('asks the translations, without glosses, among the words of the other language', async () => {
    const { learner, asked } = await learnerWithList();
    const session = await learner.start({ ...asked, questionCount: PROMPTS.length });
    expect(session).toMatchObject({ sourceLanguage: 'fi', targetLanguage: 'de' });
    expect(session.questions.map(({ prompt }) => prompt).sort()).toEqual(PROMPTS);
    for (const { prompt, gloss, options = [] } of session.questions) {
      const texts = options.map(({ text }) => text);
      expect(gloss).toBeUndefined();
      expect(new Set(texts).size).toBe(4);
      expect(ANSWERS).toEqual(expect.arrayContaining(texts));
      if (prompt === 'lauantai') expect(texts.filter((text) => /S(ams|onna)/.test(text))).toHaveLength(1);
    }
  });

  test('judges answers by the words of the other language', async () => {
    const { learner, asked } = await learnerWithList([
      { sourceText: 'der Katzen', targetText: 'kissa' },
      { sourceText: 'der Kater', targetText: 'kissa' },
      // It is close to a translation of the other prompt, and is one of this prompt.
      { sourceText: 'der Katzer', targetText: 'kassi' },
    ]);
    for (const [verdict, text] of Object.entries({ right: 'kater', close: 'der Katzem', wrong: 'Katzer' })) {
      const session = await learner.start({ ...asked, answerMode: 'typed', questionCount: 2 });
      const index = session.questions.findIndex(({ prompt }) => prompt === 'kissa');
      const { body } = await give(learner.client, session, index, { text });
      expect([body.verdict, body.accepted.toSorted()]).toEqual([verdict, ['der Kater', 'der Katzen']]);
    }
  });

  test('is refused without a list, and where too little can be asked so', async () => {
    const { learner, asked } = await learnerWithList([
      ...['eins', 'zwei', 'drei', 'vier'].map((sourceText) => ({ sourceText, targetText: 'luku' })),
      ...termsOf(2),
    ]);
    for (const deck of [{}, { pos: 'noun' }])
      expect((await start(learner, { reverse: true, ...deck })).body.errors[0].path).toBe('reverse');
    for (const [body, outcome] of [
      [{ ...asked, questionCount: 4 }, [422, 'NOT_ENOUGH_TERMS']],
      // The four words for `luku` are all right, so that two are left to be wrong.
      [{ ...asked, questionCount: 3 }, [422, 'NOT_ENOUGH_DISTRACTORS']],
      [{ ...asked, questionCount: 3, answerMode: 'typed' }, [201, undefined]],
      [{ reverse: false }, [422, 'NO_MATCHING_TERMS']],
    ] as const)
      expect(codeOf(await start(learner, body))).toEqual(outcome);
  });
});

describe('[contract 26] the memory of a list in reverse', () => {
  const wordsOf = async ({ client }: Learner, query: string) => (await client.get(`/api/v1/words?${query}`)).body.words;
  const progressOf = async (learner: Learner) =>
    (await learner.progress()).decks.map(({ seen, questions, ...words }) => ({
      reverse: 'reverse' in words && words.reverse,
      seen,
      questions,
    }));

  /** Learns two words in reverse and one the usual way. */
  async function learnBothWays() {
    const { learner, listId, asked } = await learnerWithList();
    expect(await progressOf(learner)).toEqual([{ reverse: false, seen: 0, questions: 8 }]);
    const session = await learner.play(['right', 'wrong'], { ...asked, questionCount: 2, order: 'smart' });
    await learner.play(['right'], { listId, questionCount: 1 });
    await learn(service.services);
    return { learner, listId, asked, prompts: session.questions.map(({ prompt }) => prompt) };
  }

  test('has words of their own in progress, in the list of words and in the export', async () => {
    const { learner, listId, asked, prompts } = await learnBothWays();
    expect(await progressOf(learner)).toEqual([
      { reverse: false, seen: 1, questions: 8 },
      { reverse: true, seen: 2, questions: 7 },
    ]);
    const reversed = await wordsOf(learner, `listId=${listId}&reverse=true`);
    expect(reversed.map(({ prompt }: { prompt: string }) => prompt)).toEqual(PROMPTS);
    for (const word of reversed) {
      expect(word.reverse).toBe(true);
      expect(word.state).toBe(prompts.includes(word.prompt) ? 'learning' : 'new');
    }
    for (const word of await wordsOf(learner, `listId=${listId}`)) expect(word).not.toHaveProperty('reverse');
    expect((await learner.client.get('/api/v1/words?reverse=true')).status).toBe(400);
    const { learnedWords } = (await learner.client.get('/api/v1/account/export')).body;
    const exported = learnedWords.map(({ reverse, prompt }: { reverse?: true; prompt: string }) => [reverse, prompt]);
    expect(exported.filter(([reverse]: [true?]) => reverse).sort()).toEqual(prompts.map((one) => [true, one]).sort());
    expect(exported).toHaveLength(3);

    // The smart order knows what is due in this direction: the missed word is due at first.
    const past = { due: new Date(0) };
    await service.services.db.learnedWord.updateMany({ where: { userId: learner.user.id, lapses: 0 }, data: past });
    const again = await learner.start({ ...asked, questionCount: 2, order: 'smart' });
    expect(again.questions.map(({ prompt }) => prompt).sort()).toEqual([...prompts].sort());
  });

  test('stays with words whose prompt stays, goes with the guest to the account, and ends with the list', async () => {
    const { learner, listId, prompts } = await learnBothWays();
    const account = await createLearner(service);
    await handOver(service.services.db, learner.user.id, account.user.id);
    const kept = TERMS.filter(({ targetText }) => targetText !== prompts[0]);
    const terms = kept.map((term) => ({ ...term, sourceText: `neu ${term.sourceText}` }));
    expect((await account.client.put(`/api/v1/lists/${listId}`, listOf({ terms }))).status).toBe(200);
    const prompted = new Set(kept.map(({ sourceText, sourceGloss }) => sourceText + sourceGloss));
    expect(await progressOf(account)).toEqual([
      { reverse: false, seen: 0, questions: prompted.size },
      { reverse: true, seen: 1, questions: 6 },
    ]);
    await account.client.delete(`/api/v1/lists/${listId}`);
    expect(await account.learnedWords()).toEqual([]);
  });
});
