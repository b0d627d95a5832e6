// The handlers of lobbies in play over HTTP. [contract 24]
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BUDGETS } from '../budgets.ts';
import { type OperationRequest, type Route, route } from '../http/operation.ts';
import { senderOf } from '../lobby/code-misses.ts';
import { type FindServices, findLobbyToEnter } from '../lobby/find-lobby.ts';
import type { Roster } from '../lobby/schema.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import { takeToken } from '../platform/redis/limits.ts';
import type { Services } from '../services.ts';
import type { Gateway } from './gateway.ts';
import type { Sender } from './handlers.ts';
import { operations } from './operations.ts';
import { type ClientMessage, MARK_MAX } from './schema.ts';
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
    const { roster } = await findLobbyToEnter(services, request.params.code, senderOf(request));
    const shown: string[] = [];
    await gateway.dispatch(senderIn(roster, request, shown), request.body as ClientMessage);
    if (request.body.type !== 'game:ready') return reply.status(204).send();
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

/** @param shown gets the texts of the replies */
function senderIn(roster: Roster, { user, clientAddress }: FastifyRequest, shown: string[]): Sender {
  const { lobbyId, players } = roster;
  return {
    id: '',
    userId: user.id,
    userName: players.find(({ userId }) => userId === user.id)?.name ?? user.name,
    address: clientAddress,
    isGone: false,
    lobbyId,
    taken: Promise.resolve(true),
    send: (text) => void shown.push(String(text)),
    sendChunk: async () => true,
  };
}

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
    await stream.enter(() => gateway.dispatch(stream, join));
  } catch (error) {
    if (!reply.raw.headersSent) throw error;
    logFailure(request.log, 'error', error, 'stream failed', { userId: user.id });
  }
  return reply.hijack();
}

/** @returns the event after which the stream goes on; a browser names it in a header when it reconnects */
function lastSeen({ headers, query }: FollowRequest): { since?: number; mark?: string | undefined } {
  const [, seq, mark] = EVENT_ID.exec(String(headers['last-event-id'] ?? '')) ?? [];
  if (seq !== undefined) return { since: Number(seq), mark };
  return query.since === undefined ? {} : { since: query.since, mark: query.mark };
}
