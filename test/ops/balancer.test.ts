// Tests the load balancer of compose.yaml: HAProxy with its configuration, in front of fake replicas whose
// health the tests set.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { type Balancer, startHaproxy, writtenConfiguration } from '../support/balancer.ts';
import { eventually } from '../support/eventually.ts';

/** `frozen` gives no reply at all, like a suspended process. */
type Status = 'starting' | 'ok' | 'draining' | 'frozen';

type FakeReplica = Awaited<ReturnType<typeof startReplica>>;

let balancer: Balancer;
const replicas: FakeReplica[] = [];

beforeAll(async () => {
  for (const name of ['one', 'two']) replicas.push(await startReplica(name));
  balancer = await startHaproxy(replicas.map(({ server }) => (server.address() as AddressInfo).port));
});
beforeEach(async () => {
  for (const replica of replicas) replica.status = 'ok';
  await eventually(async () => expect(await answering()).toEqual(['one', 'two']));
});
afterAll(async () => {
  await balancer.stop();
  for (const { server } of replicas) {
    server.closeAllConnections();
    server.close();
  }
});

async function startReplica(name: string) {
  const server = createServer();
  const replica = { name, status: 'ok' as Status, server };
  server.on('request', (request, response) => {
    if (request.url !== '/api/health/ready') {
      response.end(JSON.stringify({ name, forwardedFor: request.headers['x-forwarded-for'] }));
      return;
    }
    const { status } = replica;
    if (status === 'frozen') return;
    response.writeHead(status === 'ok' ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status }));
  });
  new WebSocketServer({ server }).on('headers', (headers) => headers.push(`x-replica: ${name}`));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return replica;
}

async function ask(headers: Record<string, string> = {}) {
  const response = await fetch(balancer.url, { headers: { connection: 'close', ...headers } });
  const nobody = { name: 'nobody', forwardedFor: '' };
  return response.ok ? ((await response.json()) as typeof nobody) : nobody;
}

/** @returns the names of the replicas that answer ten requests */
async function answering(): Promise<string[]> {
  const answers: string[] = [];
  for (let i = 0; i < 10; i++) answers.push((await ask()).name);
  return [...new Set(answers)].sort();
}

test('the configuration is valid', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quiz-balancer-'));
  writeFileSync(join(folder, 'written.cfg'), writtenConfiguration());
  execFileSync('haproxy', ['-c', '-f', join(folder, 'written.cfg')], { stdio: 'pipe' });
  rmSync(folder, { recursive: true });
});

test.each<Status>(['starting', 'draining'])('a replica that is %s gets nothing new', async (status) => {
  const [one] = replicas as [FakeReplica];
  one.status = status;
  await eventually(async () => expect(await answering()).toEqual(['two']));
});

/** Opens a socket on the replica that the balancer chooses. */
async function openSocket() {
  const socket = new WebSocket(balancer.url.replace('http', 'ws'));
  socket.on('error', () => {});
  const [response] = (await once(socket, 'upgrade')) as [IncomingMessage];
  return {
    name: response.headers['x-replica'],
    isOpen: () => socket.readyState <= WebSocket.OPEN,
    close: () => socket.terminate(),
  };
}

test('the balancer leaves sockets of a draining replica open, and cuts those of a frozen one', async () => {
  const sockets = await Promise.all([openSocket(), openSocket(), openSocket(), openSocket()]);
  const [one, two] = replicas as [FakeReplica, FakeReplica];
  const on = (replica: FakeReplica) => sockets.filter(({ name }) => name === replica.name);
  expect([on(one).length, on(two).length]).toEqual([2, 2]);

  one.status = 'draining';
  await eventually(async () => expect(await answering()).toEqual(['two']));
  expect(on(one).map(({ isOpen }) => isOpen())).toEqual([true, true]);

  Object.assign(one, { status: 'ok' });
  await eventually(async () => expect(await answering()).toEqual(['one', 'two']));
  two.status = 'frozen';
  await eventually(() => expect(on(two).map(({ isOpen }) => isOpen())).toEqual([false, false]));
  expect(on(one).map(({ isOpen }) => isOpen())).toEqual([true, true]);
  for (const socket of sockets) socket.close();
});

test("a client can't choose the address that the service counts it by", async () => {
  expect((await ask({ 'x-forwarded-for': '192.0.2.1' })).forwardedFor).toBe('127.0.0.1');
});
