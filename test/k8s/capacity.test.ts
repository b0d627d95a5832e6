// The capacities that the runbook states for a replica, a worker and a primary, and its table up to a million
// players, follow from the measured costs.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const capacity = readFileSync('k8s/runbook/capacity.md', 'utf8');
const [small = '', large = ''] = capacity.split('## Rooms of a thousand');
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()));
const number = (text = '') => Number.parseFloat(text.replaceAll(',', ''));

/** The rows of the measurements, each with its process, which is named in the first of them alone. */
const measurements = rowsOf(small).map(([, who, ...cells], index, all) => {
  const named = all.slice(0, index + 1).findLast(([, process]) => process);
  return [who || named?.[1], ...cells];
});

/** @returns what 1,000 players in games cost, % of a core, or how long it takes to do something, ms */
function measured(of: string, playing = '1,000 players playing'): number {
  return number(measurements.find(([who, what]) => who === of && what === playing)?.[2]);
}

const IN_LARGE_ROOM = '1,000 players playing in a room of 1,000';

/** The capacities that the text states. A replica's is limited by the autoscaler's target. */
const PER_REPLICA = 4000;
const WORKER_SHARE = 30;
const PRIMARY_SHARE = 70;
const capacitiesFor = (playing?: string) => ({
  perWorker: thousands((WORKER_SHARE / measured('worker', playing)) * 1000),
  perPrimary: thousands((PRIMARY_SHARE / measured('Redis', playing)) * 1000),
});
const { perWorker, perPrimary } = capacitiesFor();

function thousands(players: number): number {
  return Math.floor(players / 1000) * 1000;
}

const formatted = (players: number) => players.toLocaleString('en');
const needed = (players: number, each: number, least = 1) => Math.max(least, Math.ceil(players / each));
const rounded = (value: number) => Number(value.toPrecision(2));

it('the capacity of a worker and of a Redis primary follows from the cost of a thousand players', () => {
  const summary = `**${formatted(PER_REPLICA)} players a replica, ${formatted(perWorker)} a worker, ${formatted(perPrimary)} a Redis primary**`;
  expect(capacity).toContain(summary);
});

const stepsOf = (text: string) =>
  rowsOf(text)
    .filter(([, players]) => /^[\d,]+$/.test(players ?? ''))
    .map((cells): [string | undefined, string[]] => [cells[1], cells]);

it.each([small, large])('each table has steps up to a million players', (text) => {
  const steps = stepsOf(text);
  expect(steps.length).toBeGreaterThanOrEqual(5);
  expect(number(steps.at(-1)?.[0])).toBe(1_000_000);
});

it.each(stepsOf(small))('%s players need the capacity that follows from these costs', (_, cells) => {
  const [, players = 0, replicas, workers, primaries, writes] = cells.map(number);
  expect({ replicas, workers, primaries }).toEqual({
    replicas: needed(players, PER_REPLICA, 2),
    workers: needed(players, perWorker, 2),
    primaries: needed(players, perPrimary),
  });
  expect(rounded(players / 72)).toBe(writes);
});

it('the capacities for rooms of a thousand follow from the costs of one', () => {
  const { perWorker: worker, perPrimary: primary } = capacitiesFor(IN_LARGE_ROOM);
  const text = large.replaceAll('\n', ' ');
  expect(text).toContain(`${formatted(worker)} players a worker`);
  expect(text).toContain(`${formatted(primary)} a Redis primary`);
});

const RESULT_MB = 0.125;
const ROUND_S = 10;

it.each(stepsOf(large))('%s players in rooms of a thousand need the capacity that follows', (_, cells) => {
  const [, players = 0, rooms = 0, replicas = 0, workers, primaries, sent, reading] = cells.map(number);
  const capacities = capacitiesFor(IN_LARGE_ROOM);
  expect({ rooms, replicas, workers, primaries }).toEqual({
    rooms: players / 1000,
    replicas: needed(players, PER_REPLICA, 2),
    workers: needed(players, capacities.perWorker, 2),
    primaries: needed(players, capacities.perPrimary),
  });
  expect(sent).toBe(rounded((rooms * replicas * RESULT_MB) / ROUND_S));
  const readMs = measured('API', 'to read a result of a room of 1,000');
  expect(reading).toBe(rounded((rooms * readMs) / (ROUND_S * 10)));
});
