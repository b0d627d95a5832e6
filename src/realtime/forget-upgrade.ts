// What an upgrade leaves behind: @fastify/websocket keeps its request and its reply for as long as the
// socket lives, headers, hooks and all, which is most of what an idle socket would cost.
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyReply, FastifyRequest } from 'fastify';

const { on, removeAllListeners } = EventEmitter.prototype;

/** The answers of upgrades under way, which a socket's handler is not given. */
const answers = new WeakMap<FastifyRequest, ServerResponse>();

/** Call it while the upgrade is not done yet. */
export function rememberAnswer(request: FastifyRequest, reply: FastifyReply): void {
  answers.set(request, reply.raw);
}

/**
 * Frees request and reply. The socket is left without a listener of errors: attach one at once.
 * @param socket what the request has become
 */
export function forgetUpgrade(socket: WebSocket, request: FastifyRequest): void {
  socket.removeAllListeners('error');
  const answer = answers.get(request);
  const stream = request.raw.socket;
  if (answer?.socket !== stream) return;
  answer.detachSocket(stream);
  keepListenersAlone(stream);
  // For whoever waits for the end of the request.
  answer.emit('close');
}

/**
 * The table and the lists that held the request's listeners too have room for dozens more. A stream is
 * taken as an emitter alone: by its own methods it would flow anew, even one that is paused.
 */
function keepListenersAlone(stream: EventEmitter): void {
  const left = stream.eventNames().map((name) => [name, stream.rawListeners(name)] as const);
  removeAllListeners.call(stream);
  for (const [name, listeners] of left)
    for (const listener of listeners) on.call(stream, name, listener as () => void);
}
