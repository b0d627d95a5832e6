// A request names its host once: where it does so twice, a proxy may believe the one and this service
// the other. [RFC 9112, 3.2]
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';

/** Refuses such requests before anything else looks at them; those without any, Node.js refuses. */
export function registerHostCheck(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { rawHeaders } }) => {
    const isHost = (text: string, at: number) => at % 2 === 0 && /^host$/i.test(text);
    if (rawHeaders.filter(isHost).length > 1)
      throw new AppError('VALIDATION_FAILED', 'The request names more than one host.');
  });
}
