// Sends requests over open connections with as little CPU as possible, since the bench shares the machine
// with what it measures.
import { connect, type Socket } from 'node:net';

export type HttpConnection = Awaited<ReturnType<typeof openHttp>>;

export async function openHttp(url: string, cookie: string) {
  const { hostname, port, host } = new URL(url);
  let received = '';
  let waiting: PromiseWithResolvers<{ status: number; body: string }> | undefined;

  async function open(): Promise<Socket> {
    const opened = connect(Number(port), hostname);
    opened.setNoDelay(true).setEncoding('latin1');
    opened.on('data', receive);
    opened.on('close', () => waiting?.reject(new Error('A connection was closed.')));
    await new Promise<void>((resolve, reject) => opened.once('connect', resolve).once('error', reject));
    return opened;
  }

  function receive(chunk: string): void {
    received += chunk;
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
    const body = received.slice(end + 4);
    if (body.length < length) return;
    const status = Number(received.slice(9, 12));
    received = '';
    waiting?.resolve({ status, body });
  }

  let socket = await open();
  return {
    /** Sends one request after the other. @throws Error unless the reply has the expected status */
    async post(path: string, body: object, expected: number): Promise<string> {
      // The service may have closed an idle connection between two games.
      if (socket.destroyed) socket = await open();
      const text = JSON.stringify(body);
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n` +
          `content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
      );
      waiting = Promise.withResolvers();
      const answer = await waiting.promise;
      waiting = undefined;
      if (answer.status !== expected) throw new Error(`${path}: ${answer.status} ${answer.body}`);
      return answer.body;
    },
    close: (): void => void socket.destroy(),
  };
}
