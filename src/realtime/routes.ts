// The routes of lobbies in play: `/ws`, where an upgrade becomes a socket of the gateway, and those for clients whose
// WebSockets do not get through. [contract 5, 24]
import type { OutgoingHttpHeaders } from 'node:http';
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { BUDGETS } from '../budgets.ts';
import { AppError } from '../errors.ts';
import { type OperationRequest, type Route, route } from '../http/operation.ts';
import { type FindServices, findLobbyOf, senderOf } from '../lobby/find-lobby.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import { takeToken } from '../platform/redis/limits.ts';
import type { Services } from '../services.ts';
import type { Sender } from './enter-lobby.ts';
import type { Gateway } from './gateway.ts';
import { operations } from './operations.ts';
import { type ClientMessage, MARK_MAX } from './schema.ts';
import { SocketConnection } from './socket.ts';
import { StreamConnection } from './stream.ts';

const EVENT_ID = new RegExp(`^(\\d{1,15})-(.{1,${MARK_MAX}})$`);

export function realtimeRoutes(gateway: Gateway, services: FindServices & Pick<Services, 'redis'>): Route[] {
  const { admission } = gateway;
  const events = route(operations.followLobby, (request, reply) => follow(gateway, request, reply));
  Object.assign(events.options, {
    exposeHeadRoute: false,
    onRequest: admission.admit,
    preHandler: admission.countForUser,
  });
  const messages = route(operations.sendMessage, async (request, reply) => {
    const { user, params, body, clientAddress: address } = request;
    const { lobbyId, players } = (await findLobbyOf(services, params.code, senderOf(request), 'enter')).roster;
    const shown: string[] = [];
    const sender: Sender = {
      id: '',
      userId: user.id,
      userName: players.find(({ userId }) => userId === user.id)?.name ?? user.name,
      address,
      isGone: false,
      lobbyId,
      taken: Promise.resolve(true),
      send: (text) => void shown.push(String(text)),
      sendChunk() {},
    };
    await gateway.events.dispatch(sender, body as ClientMessage);
    if (body.type !== 'game:ready') return reply.status(204).send();
    return reply.type('application/json; charset=utf-8').send(`{"messages":[${shown}]}`);
  });
  messages.options.onRequest = ({ user }) => takeToken(services.redis, BUCKET, user.id);
  return [events, messages];
}

const BUCKET = {
  name: 'message',
  what: 'messages',
  max: BUDGETS.messageBurstOfUser.max,
  refillMs: 1000 / BUDGETS.messagesOfUser.max,
} as const;

type FollowRequest = OperationRequest<typeof operations.followLobby>;

async function follow(gateway: Gateway, request: FollowRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { user, headers, clientAddress: address, raw, params } = request;
  // Its client has gone meanwhile, which the stream would not notice any more.
  if (raw.socket.destroyed) return reply.hijack();
  const peer = { user, cookie: headers.cookie, address, stream: raw.socket };
  const stream = new StreamConnection(reply.raw, reply.getHeaders() as OutgoingHttpHeaders, peer, gateway.events);
  gateway.add(stream);
  try {
    const join = { type: 'lobby:join', code: params.code, ...lastSeen(request) } as const;
    await stream.enter(() => gateway.events.dispatch(stream, join));
  } catch (error) {
    if (!reply.raw.headersSent) throw error;
    logFailure(request.log, 'error', error, 'stream failed', { userId: user.id });
  }
  return reply.hijack();
}

/** @returns the event after which the stream goes on; a browser names it in a header when it reconnects */
function lastSeen({ headers, query }: FollowRequest): { since?: number | undefined; mark?: string | undefined } {
  const [, seq, mark] = EVENT_ID.exec(String(headers['last-event-id'] ?? '')) ?? [];
  return seq === undefined ? query : { since: Number(seq), mark };
}

/** Fragments of one message; without this bound, empty fragments could go on for ever. [contract 17] */
const MAX_FRAGMENTS = 64;

/** Registers `/ws`. Closing the app closes the gateway's connections with 1012 first. */
export async function registerSocket(app: FastifyInstance, gateway: Gateway) {
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

  app.route({
    method: 'GET',
    url: '/ws',
    async preValidation(request, reply) {
      if (!request.ws) {
        reply.header('upgrade', 'websocket');
        throw new AppError('UPGRADE_REQUIRED');
      }
      await gateway.admission.admit(request, reply);
      await gateway.admission.countForUser(request, reply);
    },
    handler: () => {},
    wsHandler(socket, { user, headers, clientAddress: address, raw }) {
      const peer = { user, cookie: headers.cookie, address, stream: raw.socket };
      gateway.add(new SocketConnection(socket, peer, gateway.events));
    },
  });
}
