// The capacities that the runbook states for a replica, a worker and a primary, and its tables up to a million players,
// follow from the measured costs.
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

/** The capacity of a replica, which the autoscaler's target limits, and the shares of a core of the others, %. */
const [PER_REPLICA, WORKER_SHARE, PRIMARY_SHARE] = [4000, 30, 70];

/** @returns how many players a process serves that may use a share of a core, in thousands */
function capacityOf(process: string, playing: string, share: number): number {
  // Each process is named in the first of its rows alone.
  const rows = rowsOf(small);
  const named = rows.findIndex(([, name]) => name === process);
  const measured = rows.slice(named).find(([, , what]) => what === playing)?.[3];
  return Math.floor(share / number(measured)) * 1000;
}

it.each([
  ['games of four', small, '1,000 players playing', 2],
  ['rooms of a thousand', large, '1,000 players playing in a room of 1,000', 3],
])('%s need what follows from the cost of a thousand players, up to a million', (_, text, playing, first) => {
  const perWorker = capacityOf('worker', playing, WORKER_SHARE);
  const perPrimary = capacityOf('Redis', playing, PRIMARY_SHARE);
  const stated = text.replaceAll('\n', ' ');
  expect(stated).toMatch(new RegExp(`${perWorker.toLocaleString('en')} (players )?a worker`));
  expect(stated).toContain(`${perPrimary.toLocaleString('en')} a Redis primary`);
  const steps = rowsOf(text).filter(([, players]) => /^[\d,]+$/.test(players ?? ''));
  expect(steps.length).toBeGreaterThanOrEqual(5);
  expect(number(steps.at(-1)?.[1])).toBe(1_000_000);
  for (const cells of steps) {
    const players = number(cells[1]);
    const needed = [PER_REPLICA, perWorker, perPrimary].map((each) => Math.ceil(players / each));
    const [replicas = 0, workers = 0, primaries] = needed;
    const expected = [Math.max(2, replicas), Math.max(2, workers), primaries];
    expect([players, ...cells.slice(first, first + 3).map(number)]).toEqual([players, ...expected]);
  }
});
