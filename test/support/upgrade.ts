// Opens WebSockets on a low level: reads the HTTP response to an upgrade, and encodes frames by hand.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import WebSocket from 'ws';

export interface UpgradeResponse {
  /** The status; 101 if the socket was opened, which is then closed. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The body of a refusal, parsed if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the body's shape
  body: any;
}

/** Requests an upgrade. @param url with the scheme http:, as a replica's address */
export function attemptUpgrade(url: string, headers: Record<string, string> = {}): Promise<UpgradeResponse> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace('http', 'ws'), { headers });
    socket.once('open', () => {
      socket.close();
      resolve({ status: 101, headers: {}, body: undefined });
    });
    socket.once('unexpected-response', (_request, response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        const isJson = /json/.test(response.headers['content-type'] ?? '');
        const body = isJson ? JSON.parse(text) : text;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
    socket.once('error', reject);
  });
}

/** @returns a masked frame, as clients have to send it @param opcode the first byte; by default that of a text */
export function frameOf(text: string, opcode = 0x81): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] as number));
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([opcode, ...size]), mask, masked]);
}

/** @returns the request that opens a socket */
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
