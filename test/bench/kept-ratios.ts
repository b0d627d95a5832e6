// Compares ratios with the last stored ones in ratios.json: a change that makes a path more expensive is a
// defect, like a failing test.
import { readFileSync, writeFileSync } from 'node:fs';
import { type Figure, ratioOf } from './figures.ts';

const FILE = new URL('ratios.json', import.meta.url);

/** The highest factor by which a ratio may exceed the stored one. Random variation on a quiet machine is smaller. */
const TOLERATED = 1.15;

function ratiosOf(figures: readonly Figure[]): [name: string, ratio: number][] {
  // The parts of a cost vary more; they only show where a change comes from.
  const compared = figures.filter(({ name, floor }) => name.endsWith('all processes') && floor);
  return compared.map((figure) => [`${figure.name} ÷ ${figure.floor?.name}`, ratioOf(figure)]);
}

const kept = () => JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, number>;

/** Stores these ratios for later comparisons; others stay. */
export function keepRatios(figures: readonly Figure[]): void {
  const rounded = ratiosOf(figures).map(([name, ratio]) => [name, Number(ratio.toPrecision(3))]);
  const all = { ...kept(), ...Object.fromEntries(rounded) };
  writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`);
}

/** Prints each ratio with the stored one. @returns whether none exceeds the tolerance */
export function compareWithKept(figures: readonly Figure[]): boolean {
  const before = kept();
  let isFine = true;
  for (const [name, ratio] of ratiosOf(figures)) {
    const was = before[name];
    if (was === undefined) continue;
    const isDearer = ratio > was * TOLERATED;
    if (isDearer) isFine = false;
    const change = `${ratio >= was ? '+' : ''}${Math.round((ratio / was - 1) * 100)} %`;
    console.log(`${isDearer ? 'DEARER' : '      '} ${ratio.toFixed(2)}, was ${was} (${change})  ${name}`);
  }
  if (!isFine) console.log('Dearer by more than 15 %. Run it again on a quiet machine.');
  return isFine;
}
