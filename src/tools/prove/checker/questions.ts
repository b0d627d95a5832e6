// A question has exactly one right answer: four different options, of which one translates the prompt, or no options
// where the answer is typed. No question comes twice in a game. [contract 3, 14, 20]
import type { Question } from '../../../client/types.ts';
import type { ListTerm } from '../history.ts';

/** A question with its right option, or null while that is unknown. */
export interface JudgedQuestion {
  question: Question;
  correctOptionId: number | null;
}

const OPTIONS = 4;
const plain = (text: string) => text.normalize('NFC').toLowerCase().trim();

/**
 * @param words the terms that questions are drawn from, or null if they are not known
 * @returns what is wrong, and with which question
 */
export function* wrongQuestions(
  asked: readonly JudgedQuestion[],
  words: readonly ListTerm[] | null,
): Generator<[text: string, questionId: string]> {
  const known = new Set<string>();
  for (const { question, correctOptionId } of asked) {
    const { questionId, prompt, gloss, options } = question;
    if ((question.answerMode === 'typed') !== (options === undefined))
      yield [`question ${questionId} has another mode than its fields`, questionId];
    const word = `${plain(prompt)}\n${plain(gloss ?? '')}`;
    if (known.has(word)) yield [`${prompt} is asked twice`, questionId];
    known.add(word);
    if (words && !words.some(({ sourceText }) => sourceText === prompt))
      yield [`${prompt} is not in the list`, questionId];
    if (!options) continue;
    const texts = new Set(options.map(({ text }) => plain(text)));
    if (texts.size !== OPTIONS) yield [`question ${questionId} has ${texts.size} different options`, questionId];
    if (options.some(({ optionId }, index) => optionId !== index))
      yield [`the options of question ${questionId} are not numbered`, questionId];
    if (!words) continue;
    const right = options.find(({ optionId }) => optionId === correctOptionId)?.text;
    const meanings = words.filter(({ sourceText }) => sourceText === prompt);
    const isMeant = (text: string) => meanings.some(({ targetText }) => targetText === text);
    if (right !== undefined && !isMeant(right)) yield [`${right} is no translation of ${prompt}`, questionId];
    for (const { text, optionId } of options) {
      if (!words.some(({ targetText }) => targetText === text)) yield [`${text} is not in the list`, questionId];
      if (correctOptionId !== null && optionId !== correctOptionId && isMeant(text))
        yield [`${text}, which is a translation of ${prompt}, is wrong`, questionId];
    }
  }
}
