// The answers to a question: the one that the user has given, the right one, and the verdict in words. Pure.
import type { JudgedAnswer } from '../../match/schema.ts';
import type { AnswerResult } from '../../singleplayer/schema.ts';
import type { Question } from '../../vocabulary/schema.ts';
import type { Texts } from '../i18n/en/index.ts';

/** An answer that the user gives: an option, or a text where answers are typed. [contract 20] */
export type GivenAnswer = { optionId: number } | { text: string };

/** What a judgement says about the right answer. */
export type Solution = Pick<AnswerResult, 'correctOptionId' | 'correctText' | 'accepted'>;

/** @returns the text of the question's option with this id; '' if there is none */
function optionText({ options }: Pick<Question, 'options'>, id: number | null | undefined): string {
  return options?.find(({ optionId }) => optionId === id)?.text ?? '';
}

/** @returns the text of the right answer; where answers are typed, the translation that was asked */
export function rightText(question: Pick<Question, 'options'>, solution: Solution): string {
  return solution.correctText ?? optionText(question, solution.correctOptionId);
}

/** @returns the accepted translations besides the one that is shown; none where answers are chosen */
export function alsoRight({ accepted = [] }: Solution, shown: string): string[] {
  return accepted.filter((text) => text !== shown);
}

/** @returns the text of an answer; '' without one */
export function givenText(question: Pick<Question, 'options'>, given: GivenAnswer | null | undefined): string {
  if (!given) return '';
  return 'text' in given ? given.text : optionText(question, given.optionId);
}

/**
 * @param typed the typed text, which the service tells nobody during a game
 * @returns the answer of a judgement; null without one, and undefined if its text is unknown
 */
export function answerOf(judged: JudgedChoice, typed: GivenAnswer | null | undefined): GivenAnswer | null | undefined {
  if (!hasAnswered(judged)) return null;
  const { selectedOptionId } = judged;
  return typeof selectedOptionId === 'number' ? { optionId: selectedOptionId } : (typed ?? undefined);
}

type JudgedChoice = Pick<JudgedAnswer, 'selectedOptionId' | 'verdict'>;

/** @returns whether a player has answered, in a game of either kind */
export function hasAnswered({ selectedOptionId, verdict }: JudgedChoice): boolean {
  return (selectedOptionId ?? verdict ?? null) !== null;
}

type JudgedRight = Pick<JudgedAnswer, 'isCorrect' | 'verdict'>;

/** @returns the headline of the user's own result */
export function headlineOf(t: Texts, { isCorrect, verdict }: JudgedRight): string {
  if (verdict === 'close') return t.typed.close;
  return isCorrect ? t.right : t.notRight;
}

/** How an answer was judged, in words. @param right the text of the right answer, as `meantText` finds it */
export function verdictText(t: Texts, judged: JudgedRight, right: string): string {
  if (judged.verdict === 'close') return `${t.typed.close} ${right}`;
  return judged.isCorrect ? t.right : t.wrong(right);
}
