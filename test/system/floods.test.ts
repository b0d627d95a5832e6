// A signed-in user floods the socket with frames of any kind: the replica's memory stays bounded, and other
// users notice nothing. FLOOD_MS=10000 makes each flood as long as [contract 17] says.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { createHttpClient } from '../support/http-client.ts';
import { useReplicaProcesses } from '../support/replica-process.ts';
import { timed } from '../support/stopwatch.ts';
import { createSignedInUser } from '../support/users.ts';
import { FLOOD_KINDS, startFlood } from './flood.ts';

const FLOOD_MS = Number(process.env.FLOOD_MS ?? 1500);
const SOCKETS = 8;
const MAX_GROWTH_BYTES = 50_000_000;

/** A p99 below this, ms, may be noise of a busy machine, and nobody notices it. */
const NOISE_MS = 250;
const PROBE_EVERY_MS = 5;

const WARM_UP_MS = 3000;
const WARM_UP_CLIENTS = 32;

const { stage } = useReplicaProcesses(1);
let cookies: { attacker: string; other: string };
let usualMs: number;
let idleGrowthBytes: number;
beforeAll(async () => {
  const [attacker, other] = await Promise.all([1, 2].map(() => createSignedInUser(stage.services)));
  cookies = { attacker: attacker?.cookie ?? '', other: other?.cookie ?? '' };
  idleGrowthBytes = await floodIdle();
  await work();
  usualMs = (await measure(2000)).p99Ms;
});

/** @returns the growth of the memory of a replica that has not handled any request before, bytes */
async function floodIdle(): Promise<number> {
  const [replica] = stage.replicas;
  const beforeBytes = await replica.residentBytes();
  const flood = startFlood(replica.url, cookies.attacker, 'text', SOCKETS);
  try {
    await flood.started;
    return (await measure(FLOOD_MS)).peakBytes - beforeBytes;
  } finally {
    await flood.stop();
  }
}

/** Sends ordinary requests until all code is compiled, since the first requests are slow in any case. */
async function work(): Promise<void> {
  const client = createHttpClient(stage.replicas[0].url, { cookie: cookies.other });
  const endMs = performance.now() + WARM_UP_MS;
  const ask = async () => {
    while (performance.now() < endMs) await client.get('/api/v1/vocabulary');
  };
  await Promise.all(Array.from({ length: WARM_UP_CLIENTS }, ask));
}

/** Sends another client's requests for a while. */
async function measure(durationMs: number): Promise<{ p99Ms: number; peakBytes: number }> {
  const [replica] = stage.replicas;
  const client = createHttpClient(replica.url, { cookie: cookies.other });
  const tookMs: number[] = [];
  let peakBytes = 0;
  for (const endMs = performance.now() + durationMs; performance.now() < endMs; ) {
    const { tookMs: one } = await timed(() => client.get('/api/v1/vocabulary'));
    tookMs.push(one);
    if (tookMs.length % 50 === 0) peakBytes = Math.max(peakBytes, await replica.residentBytes());
    await sleep(PROBE_EVERY_MS);
  }
  peakBytes = Math.max(peakBytes, await replica.residentBytes());
  tookMs.sort((a, b) => a - b);
  return { p99Ms: tookMs[Math.floor(tookMs.length * 0.99)] ?? 0, peakBytes };
}

it('a flood costs an idle replica little memory', () => {
  expect(idleGrowthBytes).toBeLessThan(MAX_GROWTH_BYTES);
});

it.each(FLOOD_KINDS)(
  `a flood of %s from ${SOCKETS} sockets costs little memory and little of others' time`,
  async (kind) => {
    const [replica] = stage.replicas;
    const beforeBytes = await replica.residentBytes();
    const flood = startFlood(replica.url, cookies.attacker, kind, SOCKETS);
    try {
      await flood.started;
      const { p99Ms, peakBytes } = await measure(FLOOD_MS);
      expect(peakBytes - beforeBytes).toBeLessThan(MAX_GROWTH_BYTES);
      expect(p99Ms).toBeLessThan(Math.max(3 * usualMs, NOISE_MS));
    } finally {
      await flood.stop();
    }
    const errors = replica.log().match(/"level":50.{0,300}/g) ?? [];
    // On a busy machine the check of the stores may time out.
    expect(errors.filter((line) => !line.includes('Command timed out'))).toEqual([]);
  },
  90_000,
);
