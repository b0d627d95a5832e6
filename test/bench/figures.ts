// The results of a bench, and the table that shows them.

export interface Figure {
  name: string;
  unit: string;
  /** One number for each repetition. */
  values: number[];
  /** The comparison, which is measured in turns with it. */
  floor?: { name: string; values: number[] };
}

/**
 * Runs what is compared in turns, since other work on the machine slows all of it alike.
 * @param warmUps the number of first turns, which don't count
 * @returns the outcomes of each, by repetition
 */
export async function inTurns<Runs extends readonly (() => Promise<unknown>)[]>(
  repetitions: number,
  runs: readonly [...Runs],
  warmUps = 1,
): Promise<{ [At in keyof Runs]: Awaited<ReturnType<Runs[At]>>[] }> {
  const outcomes: unknown[][] = runs.map(() => []);
  for (let turn = 0; turn < warmUps + repetitions; turn++)
    for (const [at, run] of runs.entries()) outcomes[at]?.push(await run());
  return outcomes.map((each) => each.slice(warmUps)) as never;
}

/** @returns what makes a figure of each outcome, beside that of its floor if there is one */
export function comparing<T>(own: readonly T[], floorName?: string, floor: readonly T[] = []) {
  return (name: string, unit: string, of: (outcome: T) => number): Figure => ({
    name,
    unit,
    values: own.map(of),
    ...(floorName !== undefined && { floor: { name: floorName, values: floor.map(of) } }),
  });
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @param share from 0 to 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** @returns a table with each figure, its floor, and the ratio of both */
export function formatFigures(figures: readonly Figure[]): string {
  const head = ['figure', 'unit', 'median', 'min–max', 'floor', 'median', 'min–max', 'ratio'];
  const rows = [head, ...figures.map(rowOf)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isText = (column: number) => [0, 1, 4].includes(column);
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return [lines[0], widths.map((width) => '─'.repeat(width)).join('  '), ...lines.slice(1)].join('\n');
}

function rowOf({ name, unit, values, floor }: Figure): string[] {
  const own = [name, unit, format(median(values)), spread(values)];
  if (!floor) return [...own, '', '', '', ''];
  const ratio = ratioOf({ name, unit, values, floor });
  return [...own, floor.name, format(median(floor.values)), spread(floor.values), format(ratio)];
}

/**
 * @returns the median ratio of a figure to its floor; values of one repetition are compared, since other work
 * on the machine slows both
 */
export function ratioOf({ values, floor }: Figure): number {
  return median(values.map((value, index) => value / (floor?.values[index] ?? Number.NaN)));
}

const spread = (values: readonly number[]) => `${format(Math.min(...values))}–${format(Math.max(...values))}`;

/** Formats with three significant digits. */
function format(value: number): string {
  if (Math.abs(value) >= 1000) return String(Number(value.toPrecision(3)));
  return value.toPrecision(3);
}
