// A question's word with its right answer.
import type { Question } from '../../vocabulary/schema.ts';
import type { Direction } from '../words/deck-choice.ts';
import { optionText } from './option-text.ts';

interface SolutionProps {
  question: Question;
  correctOptionId: number | undefined;
  direction: Direction;
}

export function Solution({ question, correctOptionId, direction }: SolutionProps) {
  return (
    <>
      <span lang={direction.sourceLanguage}>{question.prompt}</span>
      <span aria-hidden="true"> = </span>
      <span class="visually-hidden">: </span>
      <strong lang={direction.targetLanguage}>{optionText(question, correctOptionId)}</strong>
    </>
  );
}
