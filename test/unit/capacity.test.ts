// The capacities that the runbook states for a replica, a worker and a primary, and its table up to a million
// players, follow from the measured costs.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const capacity = readFileSync('k8s/runbook/capacity.md', 'utf8');
const rows = capacity
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const number = (text = '') => Number.parseFloat(text.replaceAll(',', ''));

/** @returns the CPU time per 1,000 players in a game, % of a core */
function measured(of: string): number {
  return number(rows.find(([, who, what]) => who === of && what === '1,000 players playing')?.[3]);
}

/** The capacities that the text states. A replica's is limited by the autoscaler's target. */
const PER_REPLICA = 4000;
const perWorker = thousands((30 / measured('worker')) * 1000);
const perPrimary = thousands((70 / measured('Redis')) * 1000);

function thousands(players: number): number {
  return Math.floor(players / 1000) * 1000;
}

it('the capacity of a worker and of a Redis primary follows from the cost of a thousand players', () => {
  const formatted = (players: number) => players.toLocaleString('en');
  const summary = `**${formatted(PER_REPLICA)} players a replica, ${formatted(perWorker)} a worker, ${formatted(perPrimary)} a Redis primary**`;
  expect(capacity).toContain(summary);
});

const steps = rows.filter(([, players]) => /^[\d,]+$/.test(players ?? ''));

it('the table has steps up to a million players', () => {
  expect(steps.length).toBeGreaterThanOrEqual(5);
  expect(number(steps.at(-1)?.[1])).toBe(1_000_000);
});

it.each(steps.map((cells) => [cells[1], cells]))(
  '%s players need the capacity that follows from these costs',
  (_, cells) => {
    const [, players = 0, replicas, workers, primaries, writes] = cells.map(number);
    const needed = (each: number, least = 1) => Math.max(least, Math.ceil(players / each));
    expect({ replicas, workers, primaries }).toEqual({
      replicas: needed(PER_REPLICA, 2),
      workers: needed(perWorker, 2),
      primaries: needed(perPrimary),
    });
    expect(Number((players / 72).toPrecision(2))).toBe(writes);
  },
);
