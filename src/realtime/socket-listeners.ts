// Attaches the listeners of a socket. They are the same functions for all sockets and find the handler by a
// property, since closures would be most of the memory of an idle socket.
import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';

export interface SocketHandler {
  /** @param text null for a binary frame */
  onMessage(text: string | null): void;
  onPing(data: Buffer): void;
  onPong(): void;
  /** ws has refused a frame and sent its close code, or the peer sends after this side's last byte. */
  onViolation(): void;
  onClose(): void;
}

const handler = Symbol('handler');
type Handled<Emitter> = Emitter & { [handler]: SocketHandler };

/** @param stream the TCP or TLS stream of the socket */
export function attachListeners(socket: WebSocket, stream: Duplex, to: SocketHandler): void {
  (socket as Handled<WebSocket>)[handler] = to;
  (stream as Handled<Duplex>)[handler] = to;
  socket.on('pong', onPong).on('ping', onPing).on('message', onMessage);
  socket.on('error', onError).on('close', onClose);
  stream.on('finish', onFinish);
}

function onPong(this: WebSocket): void {
  (this as Handled<WebSocket>)[handler].onPong();
}

function onPing(this: WebSocket, data: Buffer): void {
  (this as Handled<WebSocket>)[handler].onPing(data);
}

function onMessage(this: WebSocket, data: Buffer, isBinary: boolean): void {
  // The frame's buffer would keep the whole chunk that it arrived with in memory; a string does not.
  (this as Handled<WebSocket>)[handler].onMessage(isBinary ? null : data.toString());
}

function onClose(this: WebSocket): void {
  (this as Handled<WebSocket>)[handler].onClose();
}

/** After an invalid frame ws sends its close frame in this turn, and would then read on. */
function onError(this: WebSocket): void {
  setImmediate(() => (this as Handled<WebSocket>)[handler].onViolation());
}

function onFinish(this: Duplex): void {
  this.once('data', () => (this as Handled<Duplex>)[handler].onViolation());
}
