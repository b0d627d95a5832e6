// Runs HAProxy with the configuration of compose.yaml in front of servers on this machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { freePort } from '../../src/tools/dev/ports.ts';
import type { Balancer } from './balancer.ts';
import { ROOT } from './manifests.ts';

/** @returns HAProxy's configuration in compose.yaml */
export function writtenConfiguration(): string {
  const compose = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true });
  return compose.configs.balancer.content;
}

/** Starts HAProxy; `haproxy` must be on PATH. @param ports the servers' ports */
export async function startHaproxy(ports: number[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'quiz-balancer-'));
  const port = await freePort();
  writeFileSync(join(folder, 'haproxy.cfg'), withoutDocker(port, ports));
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
