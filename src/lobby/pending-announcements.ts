// Announces several changes of a lobby by one `lobby:state`, so that a class of two hundred that joins at
// once is announced only some times a second. Redis stores the time of a pending announcement. The process
// that made the change announces it then; if that process has died, the reconciler of a replica does.
// [contract 11]
import { type EventWriter, loadAppendingScript, runAppending } from './event-writer.ts';
import { lobbyKeys } from './keys.ts';

const announceScript = loadAppendingScript(new URL('lua/announce-pending-state.lua', import.meta.url));

/** A timer may fire a little before its time, when Redis would find the announcement not yet due. */
const MARGIN_MS = 2;

export interface PendingAnnouncements {
  /** Announces the lobby after a delay, in ms, unless another announcement comes before. */
  schedule(lobbyId: string, delayMs: number): void;
  /** Announces at once what is scheduled here. */
  flush(): Promise<void>;
}

export function createPendingAnnouncements(writer: EventWriter): PendingAnnouncements {
  const timers = new Map<string, NodeJS.Timeout>();

  async function announce(lobbyId: string, which: 'due' | 'now'): Promise<void> {
    clearTimeout(timers.get(lobbyId));
    timers.delete(lobbyId);
    try {
      const args = [writer.lobbyTtlMs, which];
      await runAppending(writer, announceScript, lobbyKeys(lobbyId), args);
    } catch {
      // The announcement is still pending in Redis, where a reconciler finds it.
    }
  }

  return {
    schedule(lobbyId, delayMs) {
      clearTimeout(timers.get(lobbyId));
      const timer = setTimeout(() => void announce(lobbyId, 'due'), delayMs + MARGIN_MS);
      timers.set(lobbyId, timer);
    },
    async flush() {
      await Promise.all([...timers.keys()].map((lobbyId) => announce(lobbyId, 'now')));
    },
  };
}
