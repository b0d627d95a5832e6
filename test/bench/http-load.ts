// Requests over connections that stay open, with as little work on this side as possible: the bench
// shares the machine with what it measures.
import { connect } from 'node:net';

export interface HttpConnection {
  /** One after the other. @throws Error unless the answer has the status that is expected */
  post(path: string, body: object, expected: number): Promise<string>;
  close(): void;
}

export async function openHttp(url: string, cookie: string): Promise<HttpConnection> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true).setEncoding('latin1');
  await new Promise<void>((resolve, reject) =>
    socket.once('connect', resolve).once('error', reject),
  );
  let received = '';
  let waiting: ((answer: { status: number; body: string }) => void) | undefined;

  socket.on('data', (chunk: string) => {
    received += chunk;
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
    const body = received.slice(end + 4);
    if (body.length < length) return;
    const status = Number(received.slice(9, 12));
    received = '';
    waiting?.({ status, body });
  });

  return {
    async post(path, body, expected) {
      const text = JSON.stringify(body);
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n` +
          `content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
      );
      const answer = await new Promise<{ status: number; body: string }>((resolve) => {
        waiting = resolve;
      });
      if (answer.status !== expected) throw new Error(`${path}: ${answer.status} ${answer.body}`);
      return answer.body;
    },
    close: () => socket.destroy(),
  };
}
