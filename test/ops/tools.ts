// Finds the tools of `npm run test:ops` that npm does not install. If one is missing, the run fails and says
// how to install it; no test is left out silently.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { delimiter } from 'node:path';

/** How each tool is installed, by a command that it runs without a fault. */
const TOOLS = {
  'kubectl version --client': '1.27 or later, https://kubernetes.io/docs/tasks/tools/',
  'promtool --version': 'apt-get install prometheus, or brew install prometheus',
  'prometheus --version': 'comes with promtool',
  'haproxy -v': 'apt-get install haproxy, or brew install haproxy',
  'initdb --version': 'a PostgreSQL server: apt-get install postgresql, or brew install postgresql',
  'pg_dump --version': 'comes with that server, as pg_restore does',
};

export default function findTools(): void {
  // Debian installs servers in these folders. PostgreSQL's server and client programs must have the same
  // version; the latest comes first.
  const postgres = globSync('/usr/lib/postgresql/*/bin').sort().reverse();
  process.env.PATH = [...postgres, process.env.PATH, '/usr/sbin'].join(delimiter);
  const lines = Object.entries(TOOLS).flatMap(([line, hint]) => {
    const [tool = '', ...args] = line.split(' ');
    return spawnSync(tool, args).status === 0 ? [] : [`  ${tool}: ${hint}`];
  });
  if (lines.length === 0) return;
  throw new Error(`npm run test:ops needs tools that are not on PATH:\n${lines.join('\n')}`);
}
