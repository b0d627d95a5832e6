// Serves GET /api/openapi.json, which is generated from the schemas by which the routes validate.
// [contract 7]
import { STATUS_CODES } from 'node:http';
import type { SwaggerTransform, SwaggerTransformObject } from '@fastify/swagger';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { jsonFile, type SentFile, sendFile } from '../http/files.ts';
import { PROBLEM_EXAMPLES, problemResponses, successResponses } from '../http/problems/problem-responses.ts';
import { AUTH_PATHS, AUTH_SCHEMAS } from './auth-paths.ts';
import { type DescribedOperation, exemplify } from './examples.ts';
import { describeFields } from './fields.ts';
import { withoutNoise } from './json-schema.ts';
import { tidyComponents } from './openapi-components.ts';

const toRoute = createJsonSchemaTransform({ zodToJsonConfig: { override: withoutNoise } });
const toDocument = createJsonSchemaTransformObject({ zodToJsonConfig: { override: withoutNoise } });

const DESCRIPTION = `Vocabulary quizzes: one player answers a quiz over HTTP, or several play in a lobby.

First sign in under **Accounts**: every other operation needs the session cookie that a sign-in sets. A game is
played over the WebSocket at \`/ws\`, which [/docs/sockets](/docs/sockets) describes. Every refusal outside of
\`/api/auth\` is a \`Problem\`, whose \`code\` is stable: [all error codes](/docs/errors).
[The contract](/docs/contract) has what no schema can say: orders, limits, and what happens exactly once.

## A first game in five steps

1. **Accounts**: sign up, open the link in the email, sign in. Do the same in another browser for a friend.
2. **Lobbies, create a lobby**: the reply has a \`code\` of six characters.
3. The friend: **join a lobby** by that code.
4. Both: connect to \`/ws\` and send \`{ "type": "lobby:join", "code": "…" }\`; [/docs/sockets](/docs/sockets) has a
   console for this. Then the host sends \`{ "type": "lobby:start" }\`.
5. Both: answer each \`game:question\` by \`{ "type": "game:answer", "questionId": "…", "optionId": 0 }\`, until
   \`game:finished\` names the winners.

Each operation has a call with curl to copy. In it \`SERVICE\` is this address, and parameters such as \`CODE\` and
\`GAME_ID\` are variables of the shell. \`cookies.txt\` stores the session, so that two players need two folders.
Each operation also has the call of the client library, which does steps 4 and 5 in ten lines, reconnects by itself
and misses no event.

Download both descriptions: [/api/openapi.json](/api/openapi.json), [/api/asyncapi.json](/api/asyncapi.json).`;

const TAGS = [
  { name: 'Single-player', description: 'Start a quiz for one, and answer its questions.' },
  { name: 'Games', description: 'Finished games, with all questions and answers.' },
  { name: 'Learning', description: 'The words that you know, and those that are due.' },
  { name: 'Vocabulary', description: 'The available languages, levels and decks.' },
  { name: 'Lists', description: 'Your own words, which you can play like those of a deck.' },
  { name: 'Homework', description: 'Questions that many people answer, each alone and in their own time.' },
  { name: 'Lobbies', description: 'Create or join a lobby by its code, then play over `/ws`.' },
  { name: 'Guests', description: 'What a code invites to, and how to play without an account.' },
  {
    name: 'Accounts',
    description: "A summary of better-auth's API, which has an error format of its own; and all that is stored of you.",
  },
  { name: 'Operations', description: 'Health checks, and these descriptions.' },
];

/**
 * Collects the routes and serves their description. It must be called before the first route is registered.
 * @param publicUrl decides the name of the session cookie
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
            description: 'The session cookie, which a sign-in sets.',
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

/** Describes a route: its schemas as JSON Schema, and its refusals including those of its scope. */
const describeRoute: SwaggerTransform<FastifySchema> = (route) => {
  const { schema, url } = route;
  const hidden = !schema || (schema as { hide?: boolean }).hide || !url.startsWith('/api/');
  if (hidden) return { schema: { hide: true } as FastifySchema, url };
  const described = toRoute({ ...route, schema: { ...schema, response: successResponses(schema) } });
  const { response } = described.schema as { response?: object };
  return {
    ...described,
    schema: {
      ...described.schema,
      response: { ...response, ...problemResponses({ url, method: String(route.route.method), schema }) },
    },
  };
};

type Json = Record<string, unknown>;

interface Operation extends Json {
  operationId?: string;
  requestBody?: { required: boolean; content: { 'application/json'?: { schema: Json } } };
  responses: Record<string, { description: string }>;
}

interface OpenapiDocument extends Json {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; examples: Record<string, object> };
}

/** Adds what no route declares: better-auth's paths, examples, and which bodies may be missing. */
const completeDocument: SwaggerTransformObject = (given) => {
  const document = toDocument(given) as unknown as OpenapiDocument;
  const { paths, components } = document;
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item))
      completeOperation(operation, nameOf(method, path), components.schemas);
  Object.assign(paths, AUTH_PATHS);
  Object.assign(components.schemas, AUTH_SCHEMAS);
  components.examples = { ...PROBLEM_EXAMPLES };
  // The following functions change a copy, since better-auth's paths share objects.
  const tidy = JSON.parse(JSON.stringify(tidyComponents(document))) as OpenapiDocument;
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
    if (response.description === 'Default Response') response.description = STATUS_CODES[status] ?? 'Done';
}

/** @returns whether the body has a required field; otherwise it may be missing [contract 10] */
function needsBody({ requestBody }: Operation, schemas: Record<string, Json>): boolean {
  const schema = requestBody?.content['application/json']?.schema ?? {};
  const name = String(schema.$ref).split('/').at(-1) ?? '';
  const { required } = (schemas[name] ?? schema) as { required?: string[] };
  return (required ?? []).length > 0;
}

/** @returns the id of an operation, such as `postLobbiesCodeJoin` */
function nameOf(method: string, path: string): string {
  const words = path.replace(/^\/api(\/v1)?/, '').split(/\W+/);
  return method + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}
