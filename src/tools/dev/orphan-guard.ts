// Stops a process of the local stack when its launcher is gone, since a launcher that gets SIGKILL can't do so
// itself. Every replica and worker loads this file (`node --import`).
import { Socket } from 'node:net';

/** The descriptor of a pipe to the launcher. Nothing is written to it; the kernel closes it when the launcher ends. */
const descriptor = process.env.LOCAL_STACK_GUARD_FD;
/** How long the process may take to stop, in ms. It is short, since the stores are stopping too. */
const GRACE_MS = 5_000;

if (descriptor) {
  // Threads and children of this process inherit its environment and flags, but not this pipe.
  delete process.env.LOCAL_STACK_GUARD_FD;
  const pipe = new Socket({ fd: Number(descriptor), readable: true, writable: false });
  let orphaned = false;
  const end = () => {
    if (orphaned) return;
    orphaned = true;
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  };
  pipe.once('end', end).once('close', end).once('error', end);
  pipe.resume();
  // The pipe alone must not keep the process running.
  pipe.unref();
}
