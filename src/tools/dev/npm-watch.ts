// Notices that `npm run` has ended. npm starts this process through a shell, which ends at SIGTERM without passing the
// signal on, and npm itself may be killed. Without npm, Ctrl-C in the terminal would no longer reach this process.
import { readFileSync } from 'node:fs';
import { parentOf } from './process-stamp.ts';

const CHECK_MS = 100;
const SHELLS = ['sh', 'dash', 'bash', 'ash', 'busybox', 'zsh'];

/**
 * @param env tells whether npm has started this process at all
 * @param gone is called once
 */
export function onNpmGone(env: NodeJS.ProcessEnv, gone: () => void): void {
  if (env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  // npm's own parent is the user's shell, which may end earlier without any reason to stop. So the grandparent counts
  // as npm only when the parent is a shell.
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
