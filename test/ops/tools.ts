// Finds the tools of `npm run test:ops` that npm does not install. If one is missing, the run fails and says
// how to install it; no test is left out silently.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { delimiter } from 'node:path';

const TOOLS = {
  kubectl: ['kubectl', 'version', '--client'],
  promtool: ['promtool', '--version'],
  prometheus: ['prometheus', '--version'],
  haproxy: ['haproxy', '-v'],
  initdb: ['initdb', '--version'],
  pg_dump: ['pg_dump', '--version'],
};

const HINTS: Record<keyof typeof TOOLS, string> = {
  kubectl: '1.27 or later, https://kubernetes.io/docs/tasks/tools/',
  promtool: 'apt-get install prometheus, or brew install prometheus',
  prometheus: 'comes with promtool',
  haproxy: 'apt-get install haproxy, or brew install haproxy',
  initdb: 'a PostgreSQL server: apt-get install postgresql, or brew install postgresql',
  pg_dump: 'comes with that server, as pg_restore does',
};

export default function findTools(): void {
  // Debian installs servers in these folders. PostgreSQL's server and client programs must have the same
  // version; the latest comes first.
  const postgres = globSync('/usr/lib/postgresql/*/bin').sort().reverse();
  process.env.PATH = [...postgres, process.env.PATH, '/usr/sbin'].join(delimiter);
  const missing = (Object.keys(TOOLS) as (keyof typeof TOOLS)[]).filter((tool) => {
    const [command = '', ...args] = TOOLS[tool];
    return spawnSync(command, args).status !== 0;
  });
  if (missing.length === 0) return;
  const lines = missing.map((tool) => `  ${tool}: ${HINTS[tool]}`);
  throw new Error(`npm run test:ops needs tools that are not on PATH:\n${lines.join('\n')}`);
}
