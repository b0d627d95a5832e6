// The gateway serves `/ws`: it admits upgrades, and owns the connections of this replica until they are
// drained. [contract 5]
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SessionUser } from '../auth/sessions/user-sessions.ts';
import { BUDGETS } from '../budgets.ts';
import { AppError } from '../errors.ts';
import { createLobbyWrites } from '../lobby/lobby-writes.ts';
import { AWAY_MS } from '../lobby/presence.ts';
import type { Services } from '../services.ts';
import { drawQuestions } from '../vocabulary/draw-questions.ts';
import { createAdmission } from './admission.ts';
import { type Connection, type ConnectionEvents, createConnection } from './connection.ts';
import { createDispatch, createFrameHandler } from './dispatch.ts';
import { detachSocket, removePresence, type SocketServices } from './handlers.ts';
import { realtimeMetrics } from './metrics.ts';
import { startProgress } from './progress.ts';
import { startReconciler } from './reconciler.ts';
import { createRooms } from './rooms.ts';
import { CLOSE_CODES } from './socket.ts';

/** Fragments of one message; without this bound, empty fragments could go on for ever. [contract 17] */
const MAX_FRAGMENTS = 64;

/** How often the connections check what is due, ms. */
const BEAT_MS = 1000;

/** How long a peer may take to read a chunk of a replay, ms; then it is disconnected. [contract 19] */
const CHUNK_TIMEOUT_MS = 30_000;

/** A drain spreads the closing of sockets over time, ms, so that clients don't all reconnect at once. */
const DRAIN_PER_SOCKET_MS = 10;
const DRAIN_SPREAD_MS = 4000;

/** Registers `/ws`. Closing the app closes its sockets with 1012 first. */
export async function registerGateway(app: FastifyInstance, services: Services): Promise<void> {
  const connections = new Set<Connection>();
  const lobbyWrites = createLobbyWrites(services);
  const rooms = createRooms(services, (lobbyId, listener) => {
    removePresence({ ...services, rooms, lobbyWrites }, lobbyId, listener).catch(() => {});
  });
  let awayMs: number = AWAY_MS.closed;
  const handlers: SocketServices = {
    ...services,
    rooms,
    lobbyWrites,
    drawQuestions: (words, count, options) => drawQuestions(services, words, count, options),
  };
  const admission = createAdmission(services);
  const dispatch = createDispatch(handlers);
  const stopReconciler = startReconciler(services, rooms);
  const stopProgress = startProgress(services, rooms);
  const beating = setInterval(() => {
    for (const connection of connections) connection.beat(performance.now());
  }, BEAT_MS);

  await app.register(websocket, {
    options: {
      maxPayload: BUDGETS.message.max,
      maxFragments: MAX_FRAGMENTS,
      // The connection answers pings itself, since they count towards its rate limit.
      autoPong: false,
      clientTracking: false,
    },
    errorHandler(error, socket, request) {
      // The connection itself handles an invalid frame.
      if (String((error as { code?: string }).code).startsWith('WS_ERR_')) return;
      request.log.error({ err: error }, 'socket failed');
      socket.terminate();
    },
    preClose(done) {
      clearInterval(beating);
      awayMs = AWAY_MS.restart;
      // The leases are released first, so that clients can reconnect elsewhere at once. [contract 17]
      Promise.all([admission.stop(), drain(connections)])
        .then(stopProgress)
        .then(stopReconciler)
        .then(() => app.websocketServer.close(() => done()), done);
    },
  });
  // ws itself would answer an invalid handshake with a text of its own.
  app.websocketServer.on('wsClientError', (error, socket) => {
    app.server.emit('clientError', error, socket);
  });
  app.decorateRequest('socketUser', null);

  const connectionEvents: ConnectionEvents = {
    chunkTimeoutMs: CHUNK_TIMEOUT_MS,
    isSignedIn: async (connection) => (await services.userSessions.findUser(connection)) !== null,
    onMessage: createFrameHandler(dispatch, services),
    async onClose(closed) {
      connections.delete(closed);
      realtimeMetrics.sockets.set(connections.size);
      // Where Redis is away, the presence of the socket expires by itself.
      await detachSocket(handlers, closed, awayMs).catch(() => {});
    },
  };

  function connect(socket: websocket.WebSocket, request: FastifyRequest): void {
    const user = request.socketUser as SessionUser;
    const { headers, ip: address, raw } = request;
    const peer = { user, cookie: headers.cookie, address, stream: raw.socket };
    connections.add(createConnection(socket, peer, connectionEvents));
    realtimeMetrics.sockets.set(connections.size);
  }

  app.route({
    method: 'GET',
    url: '/ws',
    async preValidation(request, reply) {
      requireUpgrade(request, reply);
      await admission.admit(request);
    },
    handler: () => {},
    wsHandler: connect,
  });
}

/** @throws AppError UPGRADE_REQUIRED for a request that is no upgrade; its reply names the protocol */
function requireUpgrade(request: FastifyRequest, reply: FastifyReply): void {
  if (request.ws) return;
  reply.header('upgrade', 'websocket');
  throw new AppError('UPGRADE_REQUIRED');
}

/** Closes all sockets over a few seconds, so that their clients reconnect to other replicas. */
async function drain(connections: Set<Connection>): Promise<void> {
  const spreadMs = Math.min(DRAIN_SPREAD_MS, connections.size * DRAIN_PER_SOCKET_MS);
  const all = [...connections];
  for (const connection of all) {
    setTimeout(() => connection.close(CLOSE_CODES.restart, 'restarting'), Math.random() * spreadMs);
  }
  await Promise.all(all.map((connection) => connection.whenClosed()));
}
