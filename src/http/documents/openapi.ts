// GET /api/openapi.json, made from the routes' own schemas, so that it can't say anything else than
// what they check. [contract 7]

import { STATUS_CODES } from 'node:http';
import type { SwaggerTransform, SwaggerTransformObject } from '@fastify/swagger';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
} from 'fastify-type-provider-zod';
import { z } from 'zod';
import { jsonFile, type SentFile, sendFile } from '../files.ts';
import {
  PROBLEM_EXAMPLES,
  problemResponses,
  successResponses,
} from '../problems/problem-responses.ts';
import { AUTH_PATHS, AUTH_SCHEMAS } from './auth-paths.ts';
import { type DescribedOperation, exemplify } from './examples.ts';
import { describeFields } from './fields.ts';
import { withoutNoise } from './json-schema.ts';
import { tidyComponents } from './openapi-components.ts';

const toRoute = createJsonSchemaTransform({ zodToJsonConfig: { override: withoutNoise } });
const toDocument = createJsonSchemaTransformObject({ zodToJsonConfig: { override: withoutNoise } });

const DESCRIPTION = `Vocabulary quizzes, alone over HTTP or together in lobbies.

Sign in under **Accounts** first: the session cookie that it sets is what every other operation
needs. A lobby's game is played over the WebSocket at \`/ws\`, which [/docs/sockets](/docs/sockets) shows.
Every refusal outside of \`/api/auth\` is a \`Problem\` whose \`code\` is stable; that page has all of them.

## A first game in five steps

1. **Accounts**: sign up, follow the link in the email, sign in. Do the same in another browser, for a friend.
2. **Lobbies, create a lobby**: the answer has a \`code\` of six characters.
3. The friend: **join a lobby** by that code.
4. Both: connect to \`/ws\` and say \`{ "type": "lobby:join", "code": "…" }\`; [here](/docs/sockets) is a console
   for it. Then the host says \`{ "type": "lobby:start" }\`.
5. Both: answer each \`game:question\` by \`{ "type": "game:answer", "questionId": "…", "optionId": 0 }\`, until
   \`game:finished\` says who has won.

Each operation shows how it is called with curl, to be copied as it is: \`SERVICE\` is this address, what stands in
braces is a variable (\`CODE\`, \`GAME_ID\`), and \`cookies.txt\` keeps who is signed in, a folder for each of you.
The client library does 4 and 5 in ten lines, reconnects by itself and misses nothing: each operation here
shows how it is called there.

Both descriptions to download: [/api/openapi.json](/api/openapi.json), [/api/asyncapi.json](/api/asyncapi.json).`;

const TAGS = [
  { name: 'Single-player', description: 'A quiz for one: start it, answer its questions.' },
  { name: 'Games', description: 'Finished games, with all that was asked and answered.' },
  { name: 'Learning', description: 'What you know, and what is due.' },
  { name: 'Vocabulary', description: 'What can be asked for.' },
  { name: 'Lists', description: 'Words of your own, to play like those of a deck.' },
  { name: 'Lobbies', description: 'Meet under a code of six characters, then play over `/ws`.' },
  { name: 'Accounts', description: "better-auth's own API and error format, in short." },
  { name: 'Operations', description: 'Health and these descriptions.' },
];

/**
 * Collects the routes and serves their description. Call it before the first route is registered.
 * @param publicUrl decides the session cookie's name
 */
export async function registerOpenapi(
  app: FastifyInstance,
  { version, publicUrl }: { version: string; publicUrl: string },
): Promise<void> {
  const cookiePrefix = publicUrl.startsWith('https:') ? '__Secure-' : '';
  await app.register(swagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Vocabulary quiz service', version, description: DESCRIPTION },
      tags: TAGS,
      security: [{ session: [] }],
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: `${cookiePrefix}better-auth.session_token`,
            description: 'Set by signing in.',
          },
        },
      },
    },
    transform: describeRoute,
    transformObject: completeDocument,
  });
  let document: SentFile | undefined;
  app.get(
    '/api/openapi.json',
    {
      schema: {
        tags: ['Operations'],
        summary: 'This description',
        security: [],
        response: { 200: z.looseObject({ openapi: z.string() }) },
      },
    },
    (request, reply) => {
      document ??= jsonFile(app.swagger());
      return sendFile(request, reply, document, 'no-cache');
    },
  );
}

/** One route: its schemas as JSON Schema, and its refusals, those of its scope included. */
const describeRoute: SwaggerTransform<FastifySchema> = (route) => {
  const { schema, url } = route;
  const hidden = !schema || (schema as { hide?: boolean }).hide || !url.startsWith('/api/');
  if (hidden) return { schema: { hide: true } as FastifySchema, url };
  const described = toRoute({
    ...route,
    schema: { ...schema, response: successResponses(schema) },
  });
  const { response } = described.schema as { response?: object };
  return {
    ...described,
    schema: {
      ...described.schema,
      response: {
        ...response,
        ...problemResponses({ url, method: String(route.route.method), schema }),
      },
    },
  };
};

type Json = Record<string, unknown>;

interface Operation extends Json {
  operationId?: string;
  requestBody?: { required: boolean; content: { 'application/json'?: { schema: Json } } };
  responses: Record<string, { description: string }>;
}

interface Document extends Json {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; examples: Record<string, object> };
}

/** The parts that no route says: better-auth's paths, examples, what may be left out. */
const completeDocument: SwaggerTransformObject = (given) => {
  const document = toDocument(given) as unknown as Document;
  const { paths, components } = document;
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item))
      completeOperation(operation, nameOf(method, path), components.schemas);
  Object.assign(paths, AUTH_PATHS);
  Object.assign(components.schemas, AUTH_SCHEMAS);
  components.examples = { ...PROBLEM_EXAMPLES };
  // A copy: the parts of better-auth's paths are shared by them.
  const tidy = JSON.parse(JSON.stringify(tidyComponents(document))) as Document;
  describeFields(tidy);
  for (const [path, item] of Object.entries(tidy.paths))
    for (const [method, operation] of Object.entries(item))
      exemplify(tidy, operation as unknown as DescribedOperation, method, path);
  return tidy as unknown as ReturnType<SwaggerTransformObject>;
};

function completeOperation(operation: Operation, name: string, schemas: Record<string, Json>) {
  operation.operationId ??= name;
  if (operation.requestBody) operation.requestBody.required = needsBody(operation, schemas);
  for (const [status, response] of Object.entries(operation.responses))
    if (response.description === 'Default Response')
      response.description = STATUS_CODES[status] ?? 'Done';
}

/** A body may be missing where every field is optional. [contract 10] */
function needsBody({ requestBody }: Operation, schemas: Record<string, Json>): boolean {
  const schema = requestBody?.content['application/json']?.schema ?? {};
  const name = String(schema.$ref).split('/').at(-1) ?? '';
  const { required } = (schemas[name] ?? schema) as { required?: string[] };
  return (required ?? []).length > 0;
}

/** @returns an operation's id: `postLobbiesCodeJoin` */
function nameOf(method: string, path: string): string {
  const words = path.replace(/^\/api(\/v1)?/, '').split(/\W+/);
  return method + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}
