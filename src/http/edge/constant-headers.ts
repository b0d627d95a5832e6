// Headers that every answer has. Fastify would carry them one by one from a request's first hook to its
// answer's head, in an object that gets slow by so many; here they go straight into the head.
import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

type Given = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** @param constant by their names in lower case; what an answer says otherwise counts */
export function createConstantHeaders(constant: Record<string, string>) {
  const entries = Object.entries(constant);

  class Answer extends ServerResponse {
    override getHeader(name: string) {
      return super.getHeader(name) ?? constant[name.toLowerCase()];
    }
    override writeHead(status: number, reason?: string | Given, given?: Given): this {
      // As Fastify calls it, but for streams.
      if (typeof reason === 'object' && !Array.isArray(reason))
        return super.writeHead(status, this.#withConstant(reason));
      for (const [name, value] of entries) if (!this.hasHeader(name)) this.setHeader(name, value);
      return super.writeHead(status, reason as string, given);
    }
    /** A list, which Node.js reads faster than an object. */
    #withConstant(given: OutgoingHttpHeaders): OutgoingHttpHeader[] {
      const head: OutgoingHttpHeader[] = [];
      for (const [name, value] of entries)
        if (given[name] === undefined && !this.hasHeader(name)) head.push(name, value);
      for (const name in given) head.push(name, given[name] as OutgoingHttpHeader);
      return head;
    }
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
