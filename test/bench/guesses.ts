// Measures how often a player who knows neither language picks the right option, by a single trait of the
// options or by all traits together, over every built-in deck.
import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { askDeck, guesses, type TraitValues } from '../support/guessing.ts';
import { readBuiltInDecks } from '../support/terms.ts';
import type { Figure } from './figures.ts';

/** Games of ten questions: enough to draw every set of wrong options. */
const GAMES = 40;
const EPOCHS = 2;
const LEARNING_RATE = 0.02;
const CHANCE = { name: 'by chance', values: [25] };

export async function measureGuesses(): Promise<Figure[]> {
  const decks = [...(await readBuiltInDecks()).values()];
  const asked: TraitValues[] = [];
  for (const pool of decks) {
    asked.push(askDeck(pool, GAMES, randomInt));
    // Lets the stage's connections send their keep-alives.
    await setImmediate();
  }
  const [learned, tried] = [1, 0].map((odd) => asked.filter((_, at) => at % 2 === odd).flat());
  const figure = (name: string, share: number): Figure => ({
    name: `right by ${name}`,
    unit: '%',
    values: [share],
    floor: CHANCE,
  });
  return [
    ...guesses(asked.flat()).flatMap(({ trait, most, least }) => [
      figure(`most ${trait}`, most),
      figure(`least ${trait}`, least),
    ]),
    figure('all of these, weighed', weighed(learned ?? [], tried ?? [])),
  ];
}

/**
 * A conditional logit: it learns the weight of each trait from half of the decks.
 * @returns how often it is right in the other half, in percent
 */
function weighed(learned: TraitValues, tried: TraitValues): number {
  const weights = learned[0]?.flatMap(() => [0, 0]) ?? [];
  for (let epoch = 0; epoch < EPOCHS; epoch++)
    for (const traits of learned) {
      const options = optionsOf(traits);
      const chances = softmax(options.map((option) => dot(option, weights)));
      for (const [at, option] of options.entries()) {
        const error = Number(at === 0) - (chances[at] as number);
        for (const [place, value] of option.entries())
          weights[place] = (weights[place] as number) + LEARNING_RATE * error * value;
      }
    }
  const hits = tried.filter((traits) => {
    const scores = optionsOf(traits).map((option) => dot(option, weights));
    return scores.indexOf(Math.max(...scores)) === 0;
  });
  return (100 * hits.length) / tried.length;
}

/** @returns for each option the value of each trait, relative to the other options and absolute */
function optionsOf(traits: number[][]): number[][] {
  const columns = traits.flatMap((values) => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const beside = values.map((value) => (most > least ? (value - least) / (most - least) : 0));
    return [beside, values.map((value) => Math.tanh(value))];
  });
  return [0, 1, 2, 3].map((option) => columns.map((column) => column[option] ?? 0));
}

const dot = (one: number[], other: number[]) => one.reduce((sum, value, at) => sum + value * (other[at] as number), 0);

function softmax(scores: number[]): number[] {
  const powers = scores.map((score) => Math.exp(score));
  const sum = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / sum);
}
