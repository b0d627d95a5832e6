// The results of a bench, and the table that shows them.

const PARTS = {
  all: 'all processes',
  /** The processes that clients connect to. */
  api: 'the API',
  redis: 'Redis',
  postgres: 'PostgreSQL',
  worker: 'the worker',
};

/** CPU, ms. */
export type Cost = Record<keyof typeof PARTS, number>;

type CostName = [part: keyof Cost, name: string];
export const COST_NAMES = Object.entries(PARTS) as CostName[];
export const [IN_ALL, ...BY_PROCESS] = COST_NAMES as [CostName, ...CostName[]];

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

/** @returns what makes figures of outcomes, beside those of their floor if there is one */
export function comparing<T>(own: readonly T[], floorName?: string, floor: readonly T[] = []) {
  const figure = (name: string, unit: string, of: (outcome: T) => number): Figure => ({
    name,
    unit,
    values: own.map(of),
    ...(floorName !== undefined && { floor: { name: floorName, values: floor.map(of) } }),
  });
  return {
    figure,
    /** @returns a figure for each kind of process. @param of the cost of a number of equal things */
    costs: (name: string, unit: 'ms' | 'µs', of: (outcome: T) => [cost: Cost, count: number], parts = COST_NAMES) =>
      parts.map(([part, who]) =>
        figure(`${name}, ${who}`, unit, (outcome) => {
          const [cost, count] = of(outcome);
          return (cost[part] * (unit === 'µs' ? 1000 : 1)) / count;
        }),
      ),
    /** @returns a figure for each quantile of times in ms */
    quantiles: (name: string, of: (outcome: T) => readonly number[], shares = [0.5, 0.99]) =>
      shares.map((share) => figure(`${name}, p${share * 100}`, 'ms', (outcome) => quantile(of(outcome), share))),
  };
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const median = (values: readonly number[]): number => quantile(values, 0.5);

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
  const padded = (cell: string, column: number) => {
    const isText = [0, 1, 4].includes(column);
    return isText ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  };
  const lines = rows.map((row) => row.map(padded).join('  ').trimEnd());
  lines.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('  '));
  return lines.join('\n');
}

function rowOf({ name, unit, values, floor }: Figure): string[] {
  const own = [name, unit, format(median(values)), spread(values)];
  if (!floor) return [...own, '', '', '', ''];
  return [...own, floor.name, format(median(floor.values)), spread(floor.values), format(ratioOf({ values, floor }))];
}

/**
 * @returns the median ratio of a figure to its floor; values of one repetition are compared, since other work
 * on the machine slows both
 */
export function ratioOf({ values, floor }: Pick<Figure, 'values' | 'floor'>): number {
  return median(values.map((value, index) => value / (floor?.values[index] ?? Number.NaN)));
}

const spread = (values: readonly number[]) => `${format(Math.min(...values))}–${format(Math.max(...values))}`;

/** Formats with three significant digits. */
const format = (value: number) =>
  Math.abs(value) >= 1000 ? String(Number(value.toPrecision(3))) : value.toPrecision(3);
