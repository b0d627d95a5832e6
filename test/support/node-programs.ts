// Finds the Node.js that runs the tests and the one that the system has installed, since the client library
// supports more versions than the service. [contract 15]
import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';

export interface NodeProgram {
  /** The version, such as `v20.20.2`. */
  version: string;
  path: string;
}

/** @returns the running program, and the system's if its version differs and is supported */
export function findNodePrograms(): NodeProgram[] {
  const current = { version: process.version, path: process.execPath };
  const installed = (process.env.PATH ?? '')
    .split(delimiter)
    // npm scripts put the project's own Node.js first.
    .filter((folder) => !folder.split(sep).includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find((file) => existsSync(file));
  if (!installed) return [current];
  const version = execFileSync(installed, ['--version'], { encoding: 'utf8' }).trim();
  const isOther = version !== current.version && isPromised(version);
  return isOther ? [current, { version, path: realpathSync(installed) }] : [current];
}

/** @returns whether the client library supports this version */
function isPromised(version: string): boolean {
  return Number(/^v(\d+)/.exec(version)?.[1]) >= 20;
}
