// Opens WebSockets on a low level: reads the HTTP response to an upgrade, and encodes frames by hand.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import WebSocket from 'ws';

/** A refusal of a socket or stream, with its parsed body. The status is 101 if a socket was opened. */
export interface UpgradeResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the body's shape
  body: any;
}

/** Opens a WebSocket. @param url with the scheme http:, as a replica's address @returns it, or the refusal */
export async function openWebSocket(url: string, headers = {}): Promise<WebSocket | UpgradeResponse> {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers });
  const response = await new Promise<IncomingMessage | null>((resolve, reject) => {
    socket.once('open', () => resolve(null));
    socket.once('unexpected-response', (_request, refusal) => resolve(refusal));
    socket.on('error', reject);
  });
  if (!response) return socket;
  const body = await text(response);
  const isJson = /json/.test(response.headers['content-type'] ?? '');
  return { status: response.statusCode ?? 0, headers: response.headers, body: isJson ? JSON.parse(body) : body };
}

/** Requests an upgrade as `openWebSocket` does, and closes an opened socket. */
export async function attemptUpgrade(url: string, headers?: Record<string, string>): Promise<UpgradeResponse> {
  const answer = await openWebSocket(url, headers);
  if (!(answer instanceof WebSocket)) return answer;
  answer.close();
  return { status: 101, headers: {}, body: undefined };
}

/** @returns a masked frame, as clients have to send it @param opcode the first byte; by default that of a text */
export function frameOf(content: string, opcode = 0x81): Buffer {
  const payload = Buffer.from(content);
  const mask = randomBytes(4);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] as number));
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([opcode, ...size]), mask, masked]);
}

export function handshakeOf(cookie: string, host = 'localhost'): Buffer {
  const head = [
    'GET /ws HTTP/1.1',
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Sec-WebSocket-Version: 13',
    `Cookie: ${cookie}`,
    '',
    '',
  ];
  return Buffer.from(head.join('\r\n'));
}

/**
 * Sends the handshake and the first messages at once, before the service's response.
 * @returns the socket, and a function that returns everything received until now
 */
export function connectAtOnce(url: string, cookie: string, messages: object[]): { received(): string; socket: Socket } {
  const { hostname, port, host } = new URL(url);
  let received = '';
  const socket = connect(Number(port), hostname, () => {
    const frames = messages.map((message) => frameOf(JSON.stringify(message)));
    socket.write(Buffer.concat([handshakeOf(cookie, host), ...frames]));
  });
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk;
  });
  return { received: () => received, socket };
}
