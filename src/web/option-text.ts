// What stands on an option of a question. Pure.
import type { Question } from '../vocabulary/schema.ts';

/** @returns the text of the option with this id; '' for none */
export function optionText({ options }: Pick<Question, 'options'>, id: number | null): string {
  return options.find(({ optionId }) => optionId === id)?.text ?? '';
}
