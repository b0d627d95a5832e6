// A signed-in user floods the socket with frames of any kind: the replica's memory stays bounded, and other
// users notice nothing. FLOOD_MS=10000 makes each flood as long as [contract 17] says.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpClient } from '../support/http-client.ts';
import { type ReplicaStage, startReplicaProcesses } from '../support/replica-process.ts';
import { timed } from '../support/stopwatch.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { createSignedInUser } from '../support/users.ts';

const BATCH_BYTES = 64 * 1024;
const MASK = Buffer.from([1, 2, 3, 4]);

/** The first byte of the frame (FIN, RSV and opcode), and the payload. */
const FRAMES = {
  text: [0x81, '{}'],
  'large text': [0x81, JSON.stringify({ type: 'game:ready', ref: 'x'.repeat(16_000) })],
  binary: [0x82, '{}'],
  'invalid UTF-8': [0x81, Buffer.from([0xc3, 0x28])],
  'reserved bits': [0xf1, '{}'],
  ping: [0x89, ''],
  pong: [0x8a, ''],
  fragments: [0x00, ''],
  close: [0x88, ''],
} as const;

type FloodKind = keyof typeof FRAMES;
const FLOOD_KINDS = Object.keys(FRAMES) as FloodKind[];

/** Starts the attacker's process. */
function startFlood(url: string, cookie: string, kind: FloodKind, sockets: number) {
  const file = fileURLToPath(import.meta.url);
  const child: ChildProcess = spawn(process.execPath, [file, url, cookie, kind, `${sockets}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  return {
    /** Resolves when the first socket is open and sends frames. */
    started: once(child.stdout as NodeJS.ReadableStream, 'data'),
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function frame(opcode: number, payload: string | Buffer): Buffer {
  const bytes = Buffer.from(payload);
  const masked = bytes.map((byte, index) => byte ^ (MASK[index % 4] as number));
  const length =
    bytes.length < 126
      ? Buffer.from([0x80 | bytes.length])
      : Buffer.from([0x80 | 126, bytes.length >> 8, bytes.length & 0xff]);
  return Buffer.concat([Buffer.from([opcode]), length, MASK, masked]);
}

function flood(url: URL, cookie: string, kind: FloodKind): void {
  const one = frame(...(FRAMES[kind] as [number, string | Buffer]));
  const count = Math.max(1, Math.floor(BATCH_BYTES / one.length));
  const batch = Buffer.concat(Array.from({ length: count }, () => one));
  const socket: Socket = connect(Number(url.port), url.hostname, () => {
    const head = [
      'GET /ws HTTP/1.1',
      `Host: ${url.host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      'Sec-WebSocket-Version: 13',
      `Cookie: ${cookie}`,
      '',
      '',
    ];
    socket.write(head.join('\r\n'));
  });
  const pour = () => {
    while (!socket.destroyed && socket.write(batch));
  };
  socket.once('data', () => {
    process.stdout.write('.');
    // This frame begins a fragmented message that never ends.
    if (kind === 'fragments') socket.write(frame(0x01, ''));
    socket.on('drain', pour);
    pour();
  });
  socket.on('data', () => {});
  socket.on('error', () => {});
  socket.on('close', () => setTimeout(() => flood(url, cookie, kind), 5));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [url = '', cookie = '', kind, sockets] = process.argv.slice(2);
  for (let index = 0; index < Number(sockets); index++) flood(new URL(url), cookie, kind as FloodKind);
}

const FLOOD_MS = Number(process.env.FLOOD_MS ?? 1500);
const SOCKETS = 8;
const MAX_GROWTH_BYTES = 50_000_000;

/** A p99 below this, ms, may be noise of a busy machine, and nobody notices it. */
const NOISE_MS = 250;
const PROBE_EVERY_MS = 5;

const WARM_UP_MS = 4000;
const WARM_UP_CLIENTS = 32;

let stores: TestStores;
let stage: ReplicaStage;
let cookies: { attacker: string; other: string };
let usualMs: number;
let idleGrowthBytes: number;
beforeAll(async () => {
  stores = await startStores();
  stage = await startReplicaProcesses(stores, 1);
  const [attacker, other] = await Promise.all([1, 2].map(() => createSignedInUser(stage.services)));
  cookies = { attacker: attacker?.cookie ?? '', other: other?.cookie ?? '' };
  idleGrowthBytes = await floodIdle();
  await work();
  usualMs = (await measure(2000)).p99Ms;
});
afterAll(async () => {
  await stage.stop();
  await stores.stop();
});

/** @returns the growth of the memory of a replica that has not handled any request before, bytes */
async function floodIdle(): Promise<number> {
  const [replica] = stage.replicas;
  const beforeBytes = (await replica?.residentBytes()) ?? 0;
  const flood = startFlood(replica?.url ?? '', cookies.attacker, 'text', SOCKETS);
  try {
    await flood.started;
    return (await measure(FLOOD_MS)).peakBytes - beforeBytes;
  } finally {
    await flood.stop();
  }
}

/** Sends ordinary requests until all code is compiled, since the first requests are slow in any case. */
async function work(): Promise<void> {
  const client = createHttpClient(stage.replicas[0]?.url ?? '', { cookie: cookies.other });
  const endMs = performance.now() + WARM_UP_MS;
  const ask = async () => {
    while (performance.now() < endMs) await client.get('/api/v1/vocabulary');
  };
  await Promise.all(Array.from({ length: WARM_UP_CLIENTS }, ask));
}

/** Sends another client's requests for a while. */
async function measure(durationMs: number): Promise<{ p99Ms: number; peakBytes: number }> {
  const [replica] = stage.replicas;
  const client = createHttpClient(replica?.url ?? '', { cookie: cookies.other });
  const tookMs: number[] = [];
  let peakBytes = 0;
  for (const endMs = performance.now() + durationMs; performance.now() < endMs; ) {
    const { tookMs: one } = await timed(() => client.get('/api/v1/vocabulary'));
    tookMs.push(one);
    if (tookMs.length % 50 === 0) peakBytes = Math.max(peakBytes, (await replica?.residentBytes()) ?? 0);
    await sleep(PROBE_EVERY_MS);
  }
  peakBytes = Math.max(peakBytes, (await replica?.residentBytes()) ?? 0);
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
    const beforeBytes = (await replica?.residentBytes()) ?? 0;
    const flood = startFlood(replica?.url ?? '', cookies.attacker, kind, SOCKETS);
    try {
      await flood.started;
      const { p99Ms, peakBytes } = await measure(FLOOD_MS);
      const growthBytes = peakBytes - beforeBytes;
      if (process.env.FLOOD_MS) report(kind, beforeBytes, peakBytes, p99Ms);
      expect(growthBytes).toBeLessThan(MAX_GROWTH_BYTES);
      expect(p99Ms).toBeLessThan(Math.max(3 * usualMs, NOISE_MS));
    } finally {
      await flood.stop();
    }
    const errors = replica?.log().match(/"level":50.{0,300}/g) ?? [];
    // On a busy machine the check of the stores may time out.
    expect(errors.filter((line) => !line.includes('Command timed out'))).toEqual([]);
  },
  90_000,
);

function report(kind: string, beforeBytes: number, peakBytes: number, p99Ms: number): void {
  const mega = (bytes: number) => (bytes / 1e6).toFixed(0);
  console.log(
    `${kind}: ${mega(beforeBytes)} → ${mega(peakBytes)} MB, p99 ${usualMs.toFixed(0)} → ${p99Ms.toFixed(0)} ms`,
  );
}
