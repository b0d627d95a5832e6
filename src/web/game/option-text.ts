// Finds the text of a question's option. Pure.
import type { Question } from '../../vocabulary/schema.ts';

/** @returns the text of the option with this id; '' if there is none */
export function optionText(
  { options }: Pick<Question, 'options'>,
  id: number | null | undefined,
): string {
  return options?.find(({ optionId }) => optionId === id)?.text ?? '';
}
