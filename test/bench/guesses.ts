// How often somebody who knows neither language picks the right option, by one thing that is seen of the
// options or by all of them, over every built-in deck.
import { setImmediate } from 'node:timers/promises';
import { randomInt } from '../../src/platform/random.ts';
import { readBuiltInDecks } from '../support/built-in-decks.ts';
import { type Asked, askDeck, guesses } from '../support/guessing.ts';
import type { Figure } from './figures.ts';

/** Of ten questions, so that every set of wrong options is met. */
const GAMES = 40;
const EPOCHS = 2;
const LEARNING_RATE = 0.02;
const CHANCE = { name: 'by chance', values: [25] };

export async function measureGuesses(): Promise<Figure[]> {
  const decks = [...(await readBuiltInDecks()).values()];
  const asked: Asked[] = [];
  for (const pool of decks) {
    asked.push(askDeck(pool, GAMES, randomInt));
    // The stage's connections are kept up meanwhile.
    await setImmediate();
  }
  const [learned, tried] = [1, 0].map((odd) => asked.filter((_, at) => at % 2 === odd).flat());
  const figure = (name: string, share: number): Figure => ({
    ...{ name: `right by ${name}`, unit: '%', values: [share], floor: CHANCE },
  });
  return [
    ...guesses(asked.flat()).flatMap(({ look, most, least }) => [
      figure(`most ${look}`, most),
      figure(`least ${look}`, least),
    ]),
    figure('all of these, weighed', weighed(learned ?? [], tried ?? [])),
  ];
}

/**
 * A conditional logit: learns from half of the decks how much each thing tells.
 * @returns how often it is right in the other half, in percent
 */
function weighed(learned: Asked, tried: Asked): number {
  const weights = learned[0]?.flatMap(() => [0, 0]) ?? [];
  for (let epoch = 0; epoch < EPOCHS; epoch++)
    for (const looks of learned) {
      const options = optionsOf(looks);
      const chances = softmax(options.map((option) => dot(option, weights)));
      for (const [at, option] of options.entries()) {
        const error = Number(at === 0) - (chances[at] as number);
        for (const [place, value] of option.entries())
          weights[place] = (weights[place] as number) + LEARNING_RATE * error * value;
      }
    }
  const hits = tried.filter((looks) => {
    const scores = optionsOf(looks).map((option) => dot(option, weights));
    return scores.indexOf(Math.max(...scores)) === 0;
  });
  return (100 * hits.length) / tried.length;
}

/** @returns for each option how much of each thing it has beside the other options, and at all */
function optionsOf(looks: number[][]): number[][] {
  const columns = looks.flatMap((values) => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const beside = values.map((value) => (most > least ? (value - least) / (most - least) : 0));
    return [beside, values.map((value) => Math.tanh(value))];
  });
  return [0, 1, 2, 3].map((option) => columns.map((column) => column[option] ?? 0));
}

const dot = (one: number[], other: number[]) =>
  one.reduce((sum, value, at) => sum + value * (other[at] as number), 0);

function softmax(scores: number[]): number[] {
  const powers = scores.map((score) => Math.exp(score));
  const sum = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / sum);
}
