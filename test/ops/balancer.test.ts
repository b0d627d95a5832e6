// The balancer of compose.yaml, as HAProxy runs it, in front of replicas whose health is what the
// test wants it to be.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Balancer } from '../support/balancer.ts';
import { eventually } from '../support/eventually.ts';
import { startHaproxy, writtenConfiguration } from '../support/haproxy.ts';

type Status = 'ok' | 'degraded' | 'draining';

interface FakeReplica {
  name: string;
  status: Status;
  /** How long a look at its health takes: a second when a store is silent. */
  healthMs: number;
  server: Server;
}

let balancer: Balancer;
const replicas: FakeReplica[] = [];

beforeAll(async () => {
  for (const name of ['one', 'two']) replicas.push(await startReplica(name));
  balancer = await startHaproxy(
    replicas.map(({ server }) => (server.address() as AddressInfo).port),
  );
});
beforeEach(async () => {
  for (const replica of replicas) Object.assign(replica, { status: 'ok', healthMs: 0 });
  await eventually(async () => expect(await answering()).toEqual(['one', 'two']));
});
afterAll(async () => {
  await balancer.stop();
  for (const { server } of replicas) {
    server.closeAllConnections();
    server.close();
  }
});

async function startReplica(name: string): Promise<FakeReplica> {
  const server = createServer((request, response) => {
    if (request.url !== '/api/health') {
      response.end(JSON.stringify({ name, forwardedFor: request.headers['x-forwarded-for'] }));
      return;
    }
    const { status, healthMs } = replica;
    setTimeout(() => {
      response.writeHead(status === 'ok' ? 200 : 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ status, version: '1.0.0', checks: {} }));
    }, healthMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const replica: FakeReplica = { name, status: 'ok', healthMs: 0, server };
  return replica;
}

async function ask(headers: Record<string, string> = {}) {
  const response = await fetch(balancer.url, { headers: { connection: 'close', ...headers } });
  return response.ok
    ? ((await response.json()) as { name: string; forwardedFor: string })
    : { name: 'nobody', forwardedFor: '' };
}

/** @returns who answers ten requests */
async function answering(): Promise<string[]> {
  const answers: string[] = [];
  for (let i = 0; i < 10; i++) answers.push((await ask()).name);
  return [...new Set(answers)].sort();
}

test('the configuration is valid as it is written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quiz-balancer-'));
  writeFileSync(join(folder, 'written.cfg'), writtenConfiguration());
  execFileSync('haproxy', ['-c', '-f', join(folder, 'written.cfg')], { stdio: 'pipe' });
  rmSync(folder, { recursive: true });
});

test('a replica that drains gets nothing new', async () => {
  const [one] = replicas as [FakeReplica];
  one.status = 'draining';
  await eventually(async () => expect(await answering()).toEqual(['two']));
});

test('replicas whose stores are away stay, since that is so of all of them', async () => {
  for (const replica of replicas) Object.assign(replica, { status: 'degraded', healthMs: 1000 });
  // Through several looks at their health.
  const until = Date.now() + 4000;
  while (Date.now() < until) {
    expect((await ask()).name).not.toBe('nobody');
    // The looks at their health, which this process answers, must not wait for these requests.
    await sleep(20);
  }
});

test('a client can not choose the address that the service takes for its own', async () => {
  expect((await ask({ 'x-forwarded-for': '192.0.2.1' })).forwardedFor).toBe('127.0.0.1');
});
