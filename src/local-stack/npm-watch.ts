// Notices that `npm run` is gone. npm puts a shell between itself and us, which dies of a SIGTERM
// without passing it on, and npm itself may be killed: nobody could stop us with Ctrl-C any more.
import { readFileSync } from 'node:fs';
import { parentOf } from './process-stamp.ts';

const CHECK_MS = 100;
const SHELLS = ['sh', 'dash', 'bash', 'ash', 'busybox', 'zsh'];

/**
 * @param env tells whether npm started us at all
 * @param gone is called once
 */
export function onNpmGone(env: NodeJS.ProcessEnv, gone: () => void): void {
  if (env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  // Above npm is the user's own shell, which may well leave before us; so npm is looked for
  // behind a shell only.
  const npm = SHELLS.includes(nameOf(parent)) ? parentOf(parent) : undefined;
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || parentOf(parent) === npm)) return;
    clearInterval(timer);
    gone();
  }, CHECK_MS);
  timer.unref();
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}
