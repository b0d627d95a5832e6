// GET /api/asyncapi.json: the socket for those who write clients, made from the schemas that its
// messages are checked with. [contract 5, 7]
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ERROR_CODES, sentenceOf, statusOf } from '../errors.ts';
import { describeFields } from '../http/documents/fields.ts';
import { withoutNoise } from '../http/documents/json-schema.ts';
import { jsonFile, sendFile } from '../http/files.ts';
import { DESCRIPTION } from './asyncapi-description.ts';
import { EXAMPLES } from './examples.ts';
import { ClientMessage, ServerMessage } from './schema.ts';

type MessageSchema = (typeof ClientMessage.options | typeof ServerMessage.options)[number];

/** What the description is of. */
export interface SocketDescriptionOptions {
  version: string;
  /** The service's own origin; it decides the address and the session cookie's name. */
  publicUrl: string;
}

/** Serves the description, made once. */
export function registerAsyncapi(app: FastifyInstance, options: SocketDescriptionOptions): void {
  const description = jsonFile(describeSocket(options));
  app.get(
    '/api/asyncapi.json',
    {
      schema: {
        tags: ['Operations'],
        summary: 'The description of the socket',
        description: 'AsyncAPI 3: the messages of `/ws`.',
        security: [],
        response: { 200: z.looseObject({ asyncapi: z.string() }) },
      },
    },
    (request, reply) => sendFile(request, reply, description, 'no-cache'),
  );
}

/** @returns an AsyncAPI 3 document; `receive` is what the service receives, as there */
function describeSocket({ version, publicUrl }: SocketDescriptionOptions) {
  const { host, protocol } = new URL(publicUrl);
  const isSecure = protocol === 'https:';
  const messages = [...ClientMessage.options, ...ServerMessage.options];
  return describeFields({
    asyncapi: '3.0.0',
    info: { title: 'Vocabulary quiz service: the socket', version, description: DESCRIPTION },
    defaultContentType: 'application/json',
    servers: {
      service: {
        host,
        protocol: isSecure ? 'wss' : 'ws',
        security: [{ $ref: '#/components/securitySchemes/session' }],
      },
    },
    channels: {
      socket: {
        address: '/ws',
        title: 'The socket',
        description: 'One socket is in one lobby at a time.',
        servers: [{ $ref: '#/servers/service' }],
        messages: Object.fromEntries(
          messages.map((schema) => [
            idOf(schema),
            { $ref: `#/components/messages/${idOf(schema)}` },
          ]),
        ),
        bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
      },
    },
    operations: {
      receive: operation('receive', 'Client to service', ClientMessage.options),
      send: operation('send', 'Service to client', ServerMessage.options),
    },
    components: {
      messages: Object.fromEntries(messages.map((schema) => [idOf(schema), messageOf(schema)])),
      schemas: schemasOf(messages),
      // What an `error` can have as its `reason`, and a problem over HTTP as its `code`.
      'x-refusals': ERROR_CODES.map((code) => ({
        ...{ status: statusOf(code), code, meaning: sentenceOf(code) },
      })),
      securitySchemes: {
        session: {
          type: 'httpApiKey',
          in: 'cookie',
          name: `${isSecure ? '__Secure-' : ''}better-auth.session_token`,
          description: 'Set by signing in over HTTP; read when the socket is opened.',
        },
      },
    },
  });
}

function operation(action: 'receive' | 'send', title: string, schemas: readonly MessageSchema[]) {
  return {
    action,
    title,
    channel: { $ref: '#/channels/socket' },
    messages: schemas.map((schema) => ({ $ref: `#/channels/socket/messages/${idOf(schema)}` })),
  };
}

function messageOf(schema: MessageSchema) {
  const type = schema.shape.type.value;
  return {
    name: type,
    title: idOf(schema),
    summary: schema.meta()?.description,
    payload: { $ref: `#/components/schemas/${idOf(schema)}` },
    examples: EXAMPLES[type].map((payload) => ({ payload })),
  };
}

/** A schema's name is its id; every message has one. */
function idOf(schema: MessageSchema): string {
  return schema.meta()?.id as string;
}

/** The named schemas that these need, themselves included, as JSON Schemas. */
function schemasOf(messages: MessageSchema[]): Record<string, object> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    target: 'draft-7',
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
    override: withoutNoise,
  });
  const needed = new Set(messages.map(idOf));
  // A set grows while it is walked.
  for (const id of needed)
    for (const [, other] of JSON.stringify(schemas[id]).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    ))
      needed.add(other as string);
  return Object.fromEntries(
    [...needed].map((id) => {
      const { $schema: _$schema, $id: _$id, ...schema } = schemas[id] as Record<string, unknown>;
      return [id, schema];
    }),
  );
}
