// Somebody who knows neither language and would score all the same: for each thing that an option gives
// away, how often the right one is that which has most of it, or least. [contract 3]
import {
  consonantLikeness,
  editLikeness,
  orderLikeness,
  pairLikeness,
  type Shape,
  shapeOf,
  sharedBeginning,
  sharedPiece,
} from '../../src/vocabulary/distractors/likeness.ts';
import type { RandomInt } from '../../src/vocabulary/random-order.ts';
import { buildQuestions, type KeyedQuestion, type Pool } from '../../src/vocabulary/rules.ts';

/** An option as it is looked at. */
interface Seen {
  text: string;
  position: number;
  shape: Shape;
  /** How often it was among the options of this deck. */
  shown: number;
}

type Look = (option: Seen, prompt: Seen, options: Seen[]) => number;

const LOOKS: Record<string, Look> = {
  length: ({ text }) => text.length,
  'length, beside the prompt’s': ({ text }, prompt) => -Math.abs(text.length - prompt.text.length),
  'words, beside the prompt’s': ({ text }, prompt) =>
    -Math.abs(wordsIn(text) - wordsIn(prompt.text)),
  position: ({ position }) => -position,
  'case, like the prompt’s': ({ text }, prompt) => Number(isUpper(text) === isUpper(prompt.text)),
  'case, like the others’': ({ text }, _, options) =>
    options.filter((other) => isUpper(other.text) === isUpper(text)).length,
  'alphabet, like the prompt’s': ({ text }, prompt) =>
    Number(isLatin(text) === isLatin(prompt.text)),
  'first letter, like the prompt’s': ({ shape }, prompt) =>
    Number(shape.letters[0] === prompt.shape.letters[0]),
  'beginning, like the prompt’s': ({ shape }, prompt) => sharedBeginning(shape, prompt.shape),
  'pairs of letters, like the prompt’s': ({ shape }, prompt) => pairLikeness(shape, prompt.shape),
  'edits from the prompt': ({ shape }, prompt) => editLikeness(shape, prompt.shape),
  'edits from the prompt’s consonants': ({ shape }, prompt) =>
    consonantLikeness(shape, prompt.shape),
  'letters in order, like the prompt’s': ({ shape }, prompt) => orderLikeness(shape, prompt.shape),
  'longest piece that is the prompt’s': ({ shape }, prompt) => sharedPiece(shape, prompt.shape),
  'likeness to the other options': ({ shape }, _, options) =>
    options.reduce((sum, other) => sum + pairLikeness(shape, other.shape), 0),
  'frequency among the options': ({ shown }) => shown,
};

const wordsIn = (text: string) => text.split(' ').length;
const isUpper = (text: string) => text[0] !== text[0]?.toLowerCase();
const isLatin = (text: string) => /^\p{Script=Latin}/u.test(text);

/** How often a guess is right, in percent; with several options alike it is any of them. */
export interface Guess {
  look: string;
  most: number;
  least: number;
}

/** What was asked of one deck: what is seen of each option, by look, the right one first. */
export type Asked = number[][][];

/** Asks a deck as often as `games` of ten questions do. */
export function askDeck(pool: Pool, games: number, random: RandomInt): Asked {
  const newId = () => '';
  const questions = Array.from({ length: games }, () =>
    buildQuestions({ pool, count: 10, random, newId }),
  ).flat();
  const shown = new Map<string, number>();
  for (const { question } of questions)
    for (const { text } of question.options) shown.set(text, (shown.get(text) ?? 0) + 1);
  return questions.map((asked) => look(asked, shown));
}

function look(
  { question, correctOptionId }: KeyedQuestion,
  shown: Map<string, number>,
): number[][] {
  const seen = (text: string, position: number): Seen => ({
    ...{ text, position, shape: shapeOf(text), shown: shown.get(text) ?? 0 },
  });
  const prompt = seen(question.prompt, 0);
  const options = question.options.map(({ text, optionId }) => seen(text, optionId));
  const [right] = options.splice(correctOptionId, 1) as [Seen];
  const all = [right, ...options];
  return Object.values(LOOKS).map((read) => all.map((option) => read(option, prompt, all)));
}

/** @returns for each look how often it would be right */
export function guesses(asked: Asked): Guess[] {
  const share = (at: number, sign: number) =>
    (100 * asked.reduce((sum, looks) => sum + chance(looks[at] ?? [], sign), 0)) / asked.length;
  return Object.keys(LOOKS).map((name, at) => ({
    ...{ look: name, most: share(at, 1), least: share(at, -1) },
  }));
}

/** @returns how likely it is that the first option is taken, of those with the most */
function chance(values: readonly number[], sign: number): number {
  const signed = values.map((value) => sign * value);
  const best = Math.max(...signed);
  return signed[0] === best ? 1 / signed.filter((value) => value === best).length : 0;
}

/** @returns a table of guesses, for people */
export function tableOf(table: readonly Guess[]): string {
  const rows = table.map(({ look, most, least }) => [look, most.toFixed(1), least.toFixed(1)]);
  return [['the right one by its', 'most', 'least'], ...rows]
    .map(([look = '', ...shares]) =>
      [look.padEnd(36), ...shares.map((s) => s.padStart(6))].join(''),
    )
    .join('\n');
}
