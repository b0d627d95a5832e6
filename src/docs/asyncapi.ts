// Makes the description of the socket, /api/asyncapi.json, from the schemas by which messages are validated.
// [contract 5, 7]
import { readFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import { adviceOf, ERROR_CODES, type ErrorCode, sentenceOf, statusOf } from '../errors.ts';
import { REFUSAL_HEADERS } from '../http/problems/problem-responses.ts';
import { CLOSE_CODES } from '../realtime/connection.ts';
import { CLIENT_MESSAGES, COMMON_REFUSALS, SERVER_EXAMPLES } from '../realtime/messages.ts';
import { ClientMessage, ServerMessage } from '../realtime/schema.ts';
import { namedSchemas, reachedFrom } from './json-schema.ts';

/** What no schema can say. /docs shows paragraphs with `code`, **bold** and [links](/docs). */
const DESCRIPTION = readFileSync(new URL('asyncapi.md', import.meta.url), 'utf8').trimEnd();

const CLIENT_ROWS = ClientMessage.options.map((schema) => ({ schema, ...CLIENT_MESSAGES[schema.shape.type.value] }));
const SERVER_ROWS = ServerMessage.options.map((schema) => ({
  schema,
  examples: SERVER_EXAMPLES[schema.shape.type.value],
}));
const ROWS = [...CLIENT_ROWS, ...SERVER_ROWS];

type Row = (typeof ROWS)[number];

/** The refusals of the upgrade in their order. [contract 17] */
const UPGRADE_REFUSALS: [ErrorCode, string][] = [
  ['UPGRADE_REQUIRED', 'The request is no upgrade.'],
  [
    'FORBIDDEN_ORIGIN',
    "The `Origin` is neither the service's own nor in `CORS_ORIGIN`. Without an `Origin` it passes.",
  ],
  ['UNAVAILABLE', 'The replica stops or is overloaded.'],
  ['RATE_LIMITED', "The client's address has too many open sockets."],
  ['UNAUTHENTICATED', 'There is no valid session.'],
  ['RATE_LIMITED', 'The user has too many open sockets.'],
  ['UNAVAILABLE', 'A store is unavailable.'],
];

const CLOSINGS = [
  [CLOSE_CODES.policy, 'Too many messages.', 'Wait before you connect again.'],
  [1009, 'A frame was too large.', 'Send smaller frames.'],
  [CLOSE_CODES.restart, 'The replica is stopping.', 'Connect again at once, and resume with `since` and `mark`.'],
  [CLOSE_CODES.signedOut, 'The session has ended.', 'Sign in first.'],
];

export type Installation = Pick<Config, 'version'> & Pick<Config['auth'], 'publicUrl'>;

/** @returns the session cookie as a security scheme; better-auth decides its name by the origin */
export function sessionCookie(publicUrl: string) {
  return { in: 'cookie', name: `${publicUrl.startsWith('https:') ? '__Secure-' : ''}better-auth.session_token` };
}

/** @returns an AsyncAPI 3 document; its operations are named from the service's point of view */
export function describeSocket({ version, publicUrl }: Installation) {
  const { host, protocol } = new URL(publicUrl);
  const security = [{ $ref: '#/components/securitySchemes/session' }];
  return {
    asyncapi: '3.1.0',
    info: { title: 'Vocabulary quiz service: the socket', version, description: DESCRIPTION },
    defaultContentType: 'application/json',
    servers: { service: { host, protocol: protocol.replace('http', 'ws').replace(':', ''), security } },
    channels: {
      socket: {
        address: '/ws',
        title: 'The socket',
        description: 'A socket is in one lobby at a time.',
        servers: [{ $ref: '#/servers/service' }],
        messages: Object.fromEntries(ROWS.map((row) => [idOf(row), { $ref: `#/components/messages/${idOf(row)}` }])),
        bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
        'x-upgrade-refusals': UPGRADE_REFUSALS.map(([code, when]) => {
          const status = statusOf(code);
          return { status, code, when, ...(REFUSAL_HEADERS[status] && { headers: ['retry-after'] }) };
        }),
        'x-close-codes': CLOSINGS.map(([code, meaning, advice]) => ({ code, meaning, advice })),
      },
    },
    operations: {
      receive: {
        ...operationOf('receive', 'Client to service', CLIENT_ROWS),
        reply: { channel: CHANNEL, messages: SERVER_ROWS.filter(hasRef).map(referenceTo) },
      },
      send: operationOf('send', 'Service to client', SERVER_ROWS),
    },
    components: {
      messages: Object.fromEntries(ROWS.map((row) => [idOf(row), messageOf(row)])),
      schemas: reachedFrom(ROWS.map(idOf), namedSchemas('input', 'draft-7')),
      correlationIds: {
        ref: { description: 'A reply has the `ref` of its message.', location: '$message.payload#/ref' },
      },
      // Each code is a `reason` of an `error` message and a `code` of a problem over HTTP. /docs/errors shows them.
      'x-refusals': ERROR_CODES.map((code) => {
        return { status: statusOf(code), code, meaning: sentenceOf(code), advice: adviceOf(code) };
      }),
      securitySchemes: {
        session: {
          type: 'httpApiKey',
          ...sessionCookie(publicUrl),
          description: 'The session cookie, which a sign-in over HTTP sets. It is read at the upgrade.',
        },
      },
    },
  };
}

const CHANNEL = { $ref: '#/channels/socket' };
const referenceTo = (row: Row) => ({ $ref: `#/channels/socket/messages/${idOf(row)}` });
const hasRef = ({ schema }: Row) => 'ref' in schema.shape;
/** Every message's schema has an id. */
const idOf = ({ schema }: Row) => schema.meta()?.id as string;

function operationOf(action: 'receive' | 'send', title: string, rows: readonly Row[]) {
  return { action, title, channel: CHANNEL, messages: rows.map(referenceTo) };
}

function messageOf(row: Row) {
  const { schema, examples } = row;
  return {
    name: schema.shape.type.value,
    title: idOf(row),
    summary: schema.meta()?.description,
    payload: { $ref: `#/components/schemas/${idOf(row)}` },
    ...(hasRef(row) && { correlationId: { $ref: '#/components/correlationIds/ref' } }),
    examples: examples.map((payload) => ({ payload })),
    ...('handle' in row && {
      'x-sender': row.who,
      'x-lobby': row.when,
      'x-refusals': [...COMMON_REFUSALS, ...row.refusals],
    }),
  };
}
