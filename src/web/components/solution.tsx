// What was asked, and what is right.

import type { Question } from '../../vocabulary/schema.ts';
import type { Direction } from '../deck-choice.ts';
import { optionText } from '../option-text.ts';

interface SolutionProps {
  question: Question;
  correctOptionId: number;
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
