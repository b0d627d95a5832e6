// Sends requests whose bodies were encoded before, so that the client takes little CPU time while the service
// in the same thread is measured.
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true });

export interface RawRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: Uint8Array | undefined;
}

/** @returns the reply, whose body is not parsed */
export function sendRawRequest(
  url: string,
  { method, path, headers, body }: RawRequest,
): Promise<{ status: number; text: () => string }> {
  const length = body && { 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const options = { agent, method, maxHeaderSize: 200_000, headers: { origin: url, ...length, ...headers } };
    const sent = request(new URL(path, url), options, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.once('error', reject);
      const text = () => Buffer.concat(parts).toString();
      reply.once('end', () => resolve({ status: reply.statusCode ?? 0, text }));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
