// A proxy in front of a real service rewrites messages and responses, so that clients see a faulty service.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import WebSocket, { WebSocketServer } from 'ws';
import type { ServerMessage } from '../../src/realtime/schema.ts';

export interface Rewrites {
  /** @param client the socket's number, from 0 @returns the messages that replace this one for the client */
  message?(message: ServerMessage, client: number): object[];
  /** @returns the body that replaces this one of a response with status 200 */
  body?(path: string, body: unknown): unknown;
}

/** @param target the real service's address */
export async function startRewritingProxy(target: string, rewrites: Rewrites) {
  let clients = 0;
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((from, to) => void forward(target, rewrites, from, to));

  server.on('upgrade', (from, socket, head) => {
    const { cookie = '' } = from.headers;
    const upstream = new WebSocket(`${target.replace('http', 'ws')}${from.url}`, { headers: { cookie } });
    upstream.on('error', () => socket.destroy());
    upstream.on('open', () => sockets.handleUpgrade(from, socket, head, (ws) => join(ws, upstream)));
  });

  function join(client: WebSocket, upstream: WebSocket): void {
    const index = clients++;
    const ends = [client, upstream];
    for (const end of ends) {
      end.on('error', () => {});
      end.on('close', () => ends.map((other) => other.terminate()));
    }
    client.on('message', (data) => upstream.send(String(data)));
    upstream.on('message', (data) => {
      const message = JSON.parse(String(data)) as ServerMessage;
      for (const changed of rewrites.message?.(message, index) ?? [message]) client.send(JSON.stringify(changed));
    });
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

async function forward(target: string, rewrites: Rewrites, from: IncomingMessage, to: ServerResponse): Promise<void> {
  const { method, url = '/', headers } = from;
  // What is packed can't be rewritten.
  const asked = { method, headers: { ...headers, 'accept-encoding': 'identity' } };
  const upstream = request(new URL(url, target), asked, async (answer) => {
    const { 'content-length': _, ...others } = answer.headers;
    to.writeHead(answer.statusCode ?? 502, others);
    // A client whose sockets fail on a busy machine goes on with a stream.
    if (others['content-type']?.startsWith('text/event-stream')) return void answer.pipe(to);
    const text = await textOf(answer);
    const isChanged = rewrites.body && answer.statusCode === 200;
    to.end(isChanged ? JSON.stringify(rewrites.body?.(url, JSON.parse(text))) : text);
  });
  upstream.on('error', () => to.destroy());
  from.pipe(upstream);
}
