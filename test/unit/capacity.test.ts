// The runbook's capacity: what one replica, worker and primary hold, and the table to a million players, follow
// from what was measured.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const [, capacity = ''] = readFileSync('k8s/README.md', 'utf8').split('\n# Capacity\n');
const rows = capacity
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const number = (text = '') => Number.parseFloat(text.replaceAll(',', ''));

/** @returns what 1,000 players playing need, % of a core */
function measured(of: string): number {
  return number(rows.find(([, who, what]) => who === of && what === '1,000 players playing')?.[3]);
}

/** As the text says them; of a replica's it is the autoscaler that decides. */
const PER_REPLICA = 4000;
const perWorker = thousands((30 / measured('worker')) * 1000);
const perPrimary = thousands((70 / measured('Redis')) * 1000);

function thousands(players: number): number {
  return Math.floor(players / 1000) * 1000;
}

it('what a worker and a Redis primary hold follows from what a thousand players need', () => {
  const said = (players: number) => players.toLocaleString('en');
  const inShort = `**${said(PER_REPLICA)} players a replica, ${said(perWorker)} a worker, ${said(perPrimary)} a Redis primary**`;
  expect(capacity).toContain(inShort);
});

const steps = rows.filter(([, players]) => /^[\d,]+$/.test(players ?? ''));

it('there are steps to a million players', () => {
  expect(steps.length).toBeGreaterThanOrEqual(5);
  expect(number(steps.at(-1)?.[1])).toBe(1_000_000);
});

it.each(steps.map((cells) => [cells[1], cells]))(
  '%s players need what follows from that',
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
