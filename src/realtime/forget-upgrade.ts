// What an upgrade leaves behind: @fastify/websocket keeps its request and its reply for as long as the
// socket lives, headers, hooks and all, which is most of what an idle socket would cost.
import type { ServerResponse } from 'node:http';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyReply, FastifyRequest } from 'fastify';

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
  // A list that once held the answer's listener too has room for a dozen more.
  const left = stream.listeners('close') as (() => void)[];
  stream.removeAllListeners('close');
  for (const listener of left) stream.on('close', listener);
  // For whoever waits for the end of the request.
  answer.emit('close');
}
