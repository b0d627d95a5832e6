// /ws: who may connect, and the connections of this replica from upgrade to drain. [contract 5]
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SessionUser } from '../auth/user-sessions.ts';
import { AppError } from '../errors.ts';
import { updatePresence } from '../lobby/presence.ts';
import type { Logger } from '../platform/logger.ts';
import type { RedisClient } from '../platform/redis.ts';
import { type AdmissionDeps, createAdmission } from './admission.ts';
import { startCaretaker } from './caretaker.ts';
import { CLOSE, type Connection, type ConnectionDeps, createConnection } from './connection.ts';
import { createDispatch } from './dispatch.ts';
import { forgetUpgrade, rememberAnswer } from './forget-upgrade.ts';
import { type HandlerDeps, stepOut } from './handlers/handler.ts';
import { realtimeMetrics } from './metrics.ts';
import { startProgress } from './progress.ts';
import { createRooms } from './rooms.ts';

/** [contract 5: at most 16 KiB a frame, close 1009] */
const MAX_FRAME_BYTES = 16 * 1024;

/** Of one message; without a bound, empty ones would never end it. [contract 17] */
const MAX_FRAGMENTS = 64;

const BEAT_MS = 1000;

/** Closing all sockets at once would bring all clients back at once. */
const DRAIN_PER_SOCKET_MS = 10;
const DRAIN_SPREAD_MS = 4000;

export interface GatewayDeps extends Omit<HandlerDeps, 'rooms'>, AdmissionDeps {
  logger: Logger;
  subscriber: RedisClient;
}

/** Registers `/ws`. Closing the app closes its sockets with 1012 first. */
export async function registerGateway(app: FastifyInstance, deps: GatewayDeps): Promise<void> {
  const connections = new Set<Connection>();
  const rooms = createRooms({ ...deps, onRemoved: forgetSocket(deps) });
  const handlers: HandlerDeps = { ...deps, rooms };
  const admission = createAdmission(deps);
  const dispatch = createDispatch(handlers);
  const stopCaretaker = startCaretaker(deps, rooms);
  const stopProgress = startProgress(deps, rooms);
  const beating = setInterval(() => {
    for (const connection of connections) connection.beat(Date.now());
  }, BEAT_MS);

  await app.register(websocket, {
    options: {
      ...{ maxPayload: MAX_FRAME_BYTES, maxFragments: MAX_FRAGMENTS },
      // Pings are answered by the connection, which counts them.
      autoPong: false,
      // `connections` are known here already.
      clientTracking: false,
    },
    errorHandler(error, socket, request) {
      // A frame that is none: the connection deals with it.
      if (String((error as { code?: string }).code).startsWith('WS_ERR_')) return;
      request.log.error({ err: error }, 'socket failed');
      socket.terminate();
    },
    preClose(done) {
      clearInterval(beating);
      // First: whoever is sent away finds a place elsewhere at once. [contract 17]
      Promise.all([admission.stop(), drain(connections)])
        .then(stopProgress)
        .then(stopCaretaker)
        .then(() => app.websocketServer.close(() => done()), done);
    },
  });
  app.decorateRequest('socketUser', null);

  const connectionDeps: ConnectionDeps = {
    isSignedIn: async (connection) => (await deps.userSessions.findUser(connection)) !== null,
    onMessage: dispatch,
    async onClose(closed) {
      connections.delete(closed);
      realtimeMetrics.sockets.set(connections.size);
      // What can't be noted now expires by itself.
      await stepOut(handlers, closed).catch(() => {});
    },
  };

  function connect(socket: websocket.WebSocket, request: FastifyRequest): void {
    const user = request.socketUser as SessionUser;
    const peer = { user, cookie: request.headers.cookie, stream: request.raw.socket };
    forgetUpgrade(socket, request);
    connections.add(createConnection(socket, peer, connectionDeps));
    realtimeMetrics.sockets.set(connections.size);
  }

  app.route({
    method: 'GET',
    url: '/ws',
    schema: { hide: true },
    async preValidation(request, reply) {
      requireUpgrade(request, reply);
      rememberAnswer(request, reply);
      await admission.admit(request);
    },
    handler: () => {},
    wsHandler: connect,
  });
}

/** A plain request is told how to ask. */
function requireUpgrade(request: FastifyRequest, reply: FastifyReply): void {
  if (request.ws) return;
  reply.header('upgrade', 'websocket');
  throw new AppError('UPGRADE_REQUIRED');
}

/** A socket that its lobby has put out is present there no more. */
function forgetSocket(deps: GatewayDeps) {
  return (lobbyId: string, { id, userId }: { id: string; userId: string }) => {
    updatePresence(deps, lobbyId, 'remove', [{ userId, socketId: id }]).catch(() => {});
  };
}

/** Asks every client to come back elsewhere, spread over a few seconds. */
async function drain(connections: Set<Connection>): Promise<void> {
  const spreadMs = Math.min(DRAIN_SPREAD_MS, connections.size * DRAIN_PER_SOCKET_MS);
  const all = [...connections];
  for (const connection of all) {
    setTimeout(() => connection.close(CLOSE.restart, 'restarting'), Math.random() * spreadMs);
  }
  await Promise.all(all.map((connection) => connection.whenClosed()));
}
