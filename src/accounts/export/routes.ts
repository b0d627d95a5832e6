// The HTTP route by which users download what is stored of them. [contract 22]
import type { FastifyInstance } from 'fastify';
import { problems } from '../../http/problems/problem-schema.ts';
import { streamed } from '../../http/replies.ts';
import { type ExportDeps, exportAccount } from './export-account.ts';
import { AccountExport } from './schema.ts';

/** The name under which browsers store the file. */
const FILE_NAME = 'vocabulary-quiz-account.json';

/** Registers the route in a scope that guards and limits it. */
export function registerExportRoutes(scope: FastifyInstance, deps: ExportDeps): void {
  // The type provider knows replies of the schema's type alone, but this one is a stream.
  scope.get(
    '/api/v1/account/export',
    {
      schema: {
        tags: ['Accounts'],
        summary: 'Download all that is stored of you',
        description:
          'One JSON document: your account, sessions, lists, games and learned words, without secrets such as passwords and tokens, and without questions that you can still answer. The connection is cut if the service can’t complete it, so that a document which ends is whole.',
        response: { 200: AccountExport, ...problems() },
      },
    },
    async (request, reply) => {
      const { id, sessionId } = request.user;
      const parts = await streamed(request, exportAccount(deps, { id, sessionId }));
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="${FILE_NAME}"`)
        .send(parts);
    },
  );
}
