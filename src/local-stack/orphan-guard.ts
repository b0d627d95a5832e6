// Loaded into every API and worker of the local stack (`node --import`): ends the process when its
// launcher is gone. A launcher that is killed with SIGKILL can't do that itself.
import { Socket } from 'node:net';

/** The descriptor of a pipe on which the launcher never writes; the kernel closes it. */
const descriptor = process.env.LOCAL_STACK_GUARD_FD;
/** How long an orphan may take to finish what is under way: its stores are stopping too. */
const GRACE_MS = 5_000;

if (descriptor) {
  // Threads and children of this process inherit its flags, but not this pipe.
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
  // The guard alone is no reason to stay.
  pipe.unref();
}
