// Serves `/ws`: an admitted upgrade becomes a socket of the gateway. [contract 5]
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BUDGETS } from '../budgets.ts';
import { AppError } from '../errors.ts';
import type { Services } from '../services.ts';
import { createFrameHandler } from './dispatch.ts';
import type { Gateway } from './gateway.ts';
import { SocketConnection } from './socket.ts';

/** Fragments of one message; without this bound, empty fragments could go on for ever. [contract 17] */
const MAX_FRAGMENTS = 64;

/** Registers `/ws`. Closing the app closes the gateway's connections with 1012 first. */
export async function registerSocket(
  app: FastifyInstance,
  gateway: Gateway,
  services: Pick<Services, 'logger'>,
): Promise<void> {
  await app.register(websocket, {
    options: {
      maxPayload: BUDGETS.message.max,
      maxFragments: MAX_FRAGMENTS,
      // The connection answers pings itself, since they count towards its rate limit.
      autoPong: false,
      clientTracking: false,
      // No subprotocol is spoken here, so that none of those that a client offers is chosen.
      handleProtocols: () => false,
    },
    errorHandler(error, socket, request) {
      // The connection itself handles an invalid frame.
      if (String((error as { code?: string }).code).startsWith('WS_ERR_')) return;
      request.log.error({ err: error }, 'socket failed');
      socket.terminate();
    },
    preClose(done) {
      gateway.stop().then(() => app.websocketServer.close(() => done()), done);
    },
  });
  // ws itself would answer an invalid handshake with a text of its own.
  app.websocketServer.on('wsClientError', (error, socket) => {
    app.server.emit('clientError', error, socket);
  });

  const events = { ...gateway.events, onMessage: createFrameHandler(gateway.dispatch, services) };
  app.route({
    method: 'GET',
    url: '/ws',
    async preValidation(request, reply) {
      requireUpgrade(request, reply);
      await gateway.admission.admit(request, reply);
      await gateway.admission.countForUser(request, reply);
    },
    handler: () => {},
    wsHandler(socket, { user, headers, clientAddress: address, raw }) {
      const peer = { user, cookie: headers.cookie, address, stream: raw.socket };
      gateway.add(new SocketConnection(socket, peer, events));
    },
  });
}

/** @throws AppError UPGRADE_REQUIRED for a request that is no upgrade; its reply names the protocol */
function requireUpgrade(request: FastifyRequest, reply: FastifyReply): void {
  if (request.ws) return;
  reply.header('upgrade', 'websocket');
  throw new AppError('UPGRADE_REQUIRED');
}
