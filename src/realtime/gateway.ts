// The gateway owns the connections of this replica, sockets and streams, from their admission until they are drained.
// [contract 5, 24]
import { createLobbyWrites } from '../lobby/lobby-writes.ts';
import { AWAY_MS } from '../lobby/presence.ts';
import { createRunningLobbies } from '../lobby/running-lobbies.ts';
import type { Services } from '../services.ts';
import { drawQuestions } from '../vocabulary/draw-questions.ts';
import { createAdmission } from './admission.ts';
import { CLOSE_CODES, type Connection } from './connection.ts';
import { detachSocket, removePresence, type SocketServices } from './enter-lobby.ts';
import { createDispatch } from './messages.ts';
import { realtimeMetrics } from './metrics.ts';
import { startReconciler } from './reconciler.ts';
import { createRooms } from './rooms.ts';
import { StreamConnection } from './stream.ts';

/** How often the connections check what is due, ms. */
const BEAT_MS = 1000;

/** How long a peer may take to read a chunk of a replay, ms; then it is disconnected. [contract 19] */
const CHUNK_TIMEOUT_MS = 30_000;

/** A drain spreads the closing of connections over time, ms, so that clients don't all reconnect at once. */
const DRAIN_PER_CONNECTION_MS = 10;
const DRAIN_SPREAD_MS = 4000;

export type Gateway = ReturnType<typeof createGateway>;

export function createGateway(services: Services) {
  const connections = new Set<Connection>();
  const rooms = createRooms(services, (lobbyId, listener) => {
    removePresence(handlers, lobbyId, listener).catch(() => {});
  });
  const handlers: SocketServices = {
    ...services,
    rooms,
    lobbyWrites: createLobbyWrites(services),
    runningLobbies: createRunningLobbies(),
    drawQuestions: (words, count, options) => drawQuestions(services, words, count, options),
  };
  const admission = createAdmission(services);
  const stopReconciler = startReconciler(services, rooms);
  let isStopping = false;
  const beating = setInterval(() => {
    for (const connection of connections) connection.beat(performance.now());
  }, BEAT_MS);

  function count(changed: Connection, by: 1 | -1): void {
    realtimeMetrics.sockets.set(connections.size);
    if (changed instanceof StreamConnection) realtimeMetrics.streams.inc(by);
  }

  async function drain(): Promise<void> {
    const all = [...connections];
    const spreadMs = Math.min(DRAIN_SPREAD_MS, all.length * DRAIN_PER_CONNECTION_MS);
    for (const connection of all)
      setTimeout(() => connection.close(CLOSE_CODES.restart, 'restarting'), Math.random() * spreadMs);
    await Promise.all(all.map((connection) => connection.whenClosed()));
  }

  return {
    admission,
    events: {
      dispatch: createDispatch(handlers),
      logger: services.logger,
      chunkTimeoutMs: CHUNK_TIMEOUT_MS,
      isSignedIn: async (connection: Connection) => (await services.userSessions.findUser(connection)) !== null,
      async onClose(closed: Connection): Promise<void> {
        if (connections.delete(closed)) count(closed, -1);
        // Where Redis is away, the presence of the connection expires by itself.
        const awayMs = isStopping ? AWAY_MS.restart : AWAY_MS.closed;
        await detachSocket(handlers, closed, closed.isResumed ? 'linger' : 'remove', awayMs).catch(() => {});
      },
    },
    /** Owns an admitted connection until it is closed. */
    add(connection: Connection): void {
      connections.add(connection);
      count(connection, 1);
      if (isStopping) connection.close(CLOSE_CODES.restart, 'restarting');
    },
    async stop(): Promise<void> {
      isStopping = true;
      clearInterval(beating);
      // The leases are released first, so that clients can reconnect elsewhere at once. [contract 17]
      await Promise.all([admission.stop(), drain()]);
      await stopReconciler();
    },
  };
}
