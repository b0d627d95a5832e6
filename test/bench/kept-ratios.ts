// The ratios that were measured last, in ratios.json: a change that makes a path dearer is a defect like a
// failing test.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Figure, ratioOf } from './figures.ts';

const FILE = new URL('ratios.json', import.meta.url);

/** What a ratio may be above the kept one: what a quiet machine adds by chance is less. */
const TOLERATED = 1.15;

type Ratios = Record<string, number>;

function ratiosOf(figures: readonly Figure[]): Ratios {
  return Object.fromEntries(
    figures
      // The parts of it say where it comes from, and sway more.
      .filter(({ name, floor }) => name.endsWith('all processes') && floor)
      .map((figure) => [`${figure.name} ÷ ${figure.floor?.name}`, ratioOf(figure)]),
  );
}

function kept(): Ratios {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Ratios) : {};
}

/** Makes these ratios the ones to compare with; others stay. */
export function keepRatios(figures: readonly Figure[]): void {
  const rounded = Object.entries(ratiosOf(figures)).map(([name, ratio]) => [
    name,
    Number(ratio.toPrecision(3)),
  ]);
  const all = { ...kept(), ...Object.fromEntries(rounded) };
  writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`);
}

/** Prints each ratio beside the kept one. @returns whether none is dearer than is tolerated */
export function compareWithKept(figures: readonly Figure[]): boolean {
  const before = kept();
  let isFine = true;
  for (const [name, ratio] of Object.entries(ratiosOf(figures))) {
    const was = before[name];
    if (was === undefined) continue;
    const isDearer = ratio > was * TOLERATED;
    if (isDearer) isFine = false;
    const change = `${ratio >= was ? '+' : ''}${Math.round((ratio / was - 1) * 100)} %`;
    console.log(
      `${isDearer ? 'DEARER' : '      '} ${ratio.toFixed(2)}, was ${was} (${change})  ${name}`,
    );
  }
  if (!isFine) console.log('Dearer by more than 15 %. Run it again on a quiet machine.');
  return isFine;
}
