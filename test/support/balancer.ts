// A TCP load balancer distributes connections over replicas in turn and skips unhealthy ones.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { freePort } from '../../src/tools/dev/ports.ts';
import { textOf } from './sources.ts';

const CHECK_INTERVAL_MS = 200;

export type Balancer = Awaited<ReturnType<typeof startBalancer>>;

export async function startBalancer(ports: number[]) {
  let turn = 0;
  const healthy = new Set(ports);
  const checking = setInterval(() => {
    for (const port of ports) void check(port);
  }, CHECK_INTERVAL_MS);
  const clients = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (client) => {
    clients.add(client.on('error', () => {}).on('close', () => clients.delete(client)));
    forward(client, turn++, ports.length);
  });

  async function check(port: number): Promise<void> {
    const options = { signal: AbortSignal.timeout(2000), headers: { connection: 'close' } };
    const response = await fetch(`http://127.0.0.1:${port}/api/health/ready`, options).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) healthy.add(port);
    else healthy.delete(port);
  }

  function forward(client: Socket, index: number, attemptsLeft: number): void {
    if (attemptsLeft === 0) return void client.destroy();
    const port = ports[index % ports.length] as number;
    const next = () => forward(client, index + 1, attemptsLeft - 1);
    // The health check may lag behind, so that every replica is tried when none is known to be healthy.
    if (healthy.size > 0 && !healthy.has(port)) return void next();
    const upstream = createConnection({ host: '127.0.0.1', port, noDelay: true });
    upstream.once('error', next);
    upstream.once('connect', () => {
      upstream.off('error', next);
      upstream.on('error', () => client.destroy());
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
      client.pipe(upstream).pipe(client);
    });
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      clearInterval(checking);
      for (const client of clients) client.destroy();
      await once(server.close(), 'close');
    },
  };
}

/** @returns HAProxy's configuration in compose.yaml */
export const writtenConfiguration = (): string =>
  parse(textOf('compose.yaml'), { merge: true }).configs.balancer.content;

/**
 * Starts HAProxy; `haproxy` must be on PATH.
 * @param ports the servers' ports
 * @param checkTimeout how long a replica may take to answer a check; beyond it its sockets are cut
 */
export async function startHaproxy(ports: number[], checkTimeout = '2s') {
  const folder = mkdtempSync(join(tmpdir(), 'quiz-balancer-'));
  const port = await freePort();
  const configuration = withoutDocker(port, ports).replace('timeout check 2s', `timeout check ${checkTimeout}`);
  writeFileSync(join(folder, 'haproxy.cfg'), configuration);
  const haproxy = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
  await once(haproxy, 'spawn');
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const ended = once(haproxy, 'exit');
      haproxy.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @returns the configuration with local servers instead of those of Docker's network */
function withoutDocker(port: number, serverPorts: number[]): string {
  const servers = serverPorts.map((serverPort, i) => `  server s${i} 127.0.0.1:${serverPort}`);
  return writtenConfiguration()
    .replace(/^resolvers docker\n(?: .*\n)+/m, '')
    .replace(' resolvers docker init-addr none', '')
    .replace(/^ *server-template .*$/m, servers.join('\n'))
    .replace('bind :8080', `bind 127.0.0.1:${port}`);
}
