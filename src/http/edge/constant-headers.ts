// Headers that every answer has. Fastify would carry them one by one from a request's first hook to its
// answer's head, in an object that gets slow by so many, and Node.js would check each anew; here they go
// straight into the head, as text.
import { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** What Node.js writes every head with, its own headers included; types don't know it. */
interface Head {
  /** @param status the first line @param headers by their names in lower case */
  _storeHeader(status: string, headers: Record<string, unknown> | null): void;
}
const { _storeHeader: storeHeader } = ServerResponse.prototype as unknown as Head;

/** @param constant by their names in lower case; what an answer says otherwise counts */
export function createConstantHeaders(constant: Record<string, string>) {
  const lines = Object.entries(constant).map(([name, value]) => ({
    name,
    line: `${name}: ${value}\r\n`,
  }));
  const all = lines.map(({ line }) => line).join('');

  class Answer extends ServerResponse {
    override getHeader(name: string) {
      return super.getHeader(name) ?? constant[name.toLowerCase()];
    }
    _storeHeader(status: string, headers: Record<string, unknown> | null): void {
      let missing = all;
      for (const name in headers) if (name in constant) missing = without(headers);
      storeHeader.call(this, status + missing, headers);
    }
  }

  function without(headers: Record<string, unknown>): string {
    return lines.map(({ name, line }) => (name in headers ? '' : line)).join('');
  }

  return {
    /** For the server's options. */
    ServerResponse: Answer as typeof ServerResponse,
    /** Sends them with what is answered in another way: to a request for a socket, or to one of a test. */
    register(app: FastifyInstance): void {
      app.addHook('onRequest', (_request, reply, done) => {
        if (!(reply.raw instanceof Answer)) reply.headers(constant);
        done();
      });
    },
  };
}
