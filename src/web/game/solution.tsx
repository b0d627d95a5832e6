// A question's word with its right answer.
import type { Question } from '../../vocabulary/schema.ts';
import type { Direction } from '../words/deck-choice.ts';
import { type Solution as RightAnswer, rightText } from './answers.ts';

interface SolutionProps {
  question: Question;
  solution: RightAnswer;
  direction: Direction;
}

export function Solution({ question, solution, direction }: SolutionProps) {
  return (
    <>
      <span lang={direction.sourceLanguage}>{question.prompt}</span>
      <span aria-hidden="true"> = </span>
      <span class="visually-hidden">: </span>
      <strong lang={direction.targetLanguage}>{rightText(question, solution)}</strong>
    </>
  );
}
