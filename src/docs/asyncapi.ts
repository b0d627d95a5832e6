// Serves GET /api/asyncapi.json, the description of the socket. It is generated from the schemas by which
// messages are validated. [contract 5, 7]
import { z } from 'zod';
import { adviceOf, ERROR_CODES, type ErrorCode, sentenceOf, statusOf } from '../errors.ts';
import { jsonFile, sendFile } from '../http/files.ts';
import { describeOperations, type Route, route } from '../http/operation.ts';
import { CLOSE_CODES } from '../realtime/connection.ts';
import { CLIENT_MESSAGES, COMMON_REFUSALS, SERVER_MESSAGES } from '../realtime/messages.ts';
import { namedSchemas, reachedFrom } from './json-schema.ts';

/**
 * What no schema can say: how to connect, the order of messages, how to resume, and what is refused. /docs shows
 * paragraphs with `code`, **bold** and [links](/docs).
 */
const DESCRIPTION = `Multiplayer games over one WebSocket at \`/ws\`. Each frame is a text frame with one flat JSON object, whose \`type\` names the message. Accounts, lobbies and results are in \`/api/openapi.json\`. Limits, the order of refusals and what happens exactly once are in [the contract](/docs/contract).

**Connecting.** Send the session cookie. A refused upgrade gets an HTTP response with a problem; \`x-upgrade-refusals\` of the channel lists them in their order, and \`x-close-codes\` lists why the service closes a socket. With 429 and 503, \`Retry-After\` says how long to wait. Where a proxy lets no WebSocket through, the same messages come as server-sent events by \`GET /api/v1/lobbies/:code/events\`, and yours go by \`POST /api/v1/lobbies/:code/messages\`. Ignore messages, fields and values of enumerations that you don't know, since new versions add some.

**Playing.** Create or join a lobby over HTTP, then send \`lobby:join\`. In a waiting lobby everyone gets \`lobby:state\` whenever the players change, or who is connected. In a burst of changes one message may stand for several: at least one is sent every 200 ms, and one after the last change. The host sends \`lobby:start\`. Each round begins with \`game:question\`, which players answer by \`game:answer\`. It ends with \`game:answer_result\`: when everybody has answered, when the last player whose answer is missing has left, or when its time is up by the service's clock. With \`intermissionMs\` a pause follows each result, for as long as its \`nextInMs\` says. During the pause no question is open, and an answer is refused with \`ROUND_CLOSED\`. After the last result (\`isLast\`) and its pause, \`game:finished\` is sent when the result is stored. The first answer counts. The same answer again changes nothing, and any other second one is refused.

**Players.** The players of a game are the members who are connected at its start, and those who join later, with 0 points at first. A player who disconnects stays a player, and rounds wait for an answer until the deadline. A player who sends \`lobby:leave\` leaves the game; the score so far stays in the result. A player is connected while at least one socket of the user is.

**Hosts.** Only the host may send these messages: \`lobby:configure\` (while waiting; settings that it does not name stay), \`lobby:lock\`, \`lobby:kick\` (permanent; the player's sockets get \`lobby:kicked\`, which has no number, and stay open), \`lobby:again\` (after a game; the same players wait again), \`game:next\` (ends the named round, with reason \`skipped\`, or intermission, and no other) and \`game:end\`. The first four send \`lobby:state\` to everyone; one that changes nothing gives its sender alone a \`lobby:state\` with \`"snapshot": true\`. Their refusals have this order: 400, \`NOT_IN_LOBBY\`, \`NOT_HOST\`, the wrong state (\`LOBBY_NOT_WAITING\`, \`LOBBY_NOT_FINISHED\`, \`NOT_IN_GAME\`), then the rest. When the host leaves a running or finished lobby, the connected player who joined first becomes host, or the player who joined first if nobody is connected. A host who is only disconnected stays host, since phases end by themselves. With \`hostPlays\` false the host presents, and is in no answers and scores. The host then gets \`game:progress\`, which has no number and says how many have answered, at most twice a second and never after the round's result.

**Fairness.** Every question has a \`commitment\`: SHA-256, as base64url, of \`<questionId>:<correctOptionId>:<nonce>\`. Its result has the \`nonce\`, so that everybody can check that the right answer was not changed after the question was shown.

**Numbers.** Every message to a whole lobby is an event of that lobby and carries \`seq\`: 1, 2, 3 … without a gap, the same on every replica. A socket gets every event once and in this order. A message to a single socket is a snapshot (\`snapshot\` is true). It carries the \`seq\` of the last event that it already contains, and may repeat that event. \`error\` has no number.

**Marks.** When the service's store fails over and loses its last writes, later events get the numbers of the lost ones. So each numbered message also carries \`mark\`, which no other event of the lobby has; a snapshot has the mark of the event whose \`seq\` it carries. A socket that had received lost events first gets a snapshot. When a \`seq\` that you know comes with another \`mark\`, discard your state and count from that message.

**Coming back.** Reconnect, to any replica, and send \`lobby:join\` with the \`since\` and \`mark\` of the last event that you received: exactly the events after it follow. You get a snapshot instead if you send no \`since\`, if the log no longer reaches back (it has at least 100 events and four for each place of the lobby, for ten minutes), or if the log has no event or another one with that number. The snapshot consists of \`lobby:state\`, then the open \`game:question\`, in an intermission the last \`game:answer_result\`, or the \`game:finished\`. Missed events are sent as fast as you read them, however many they are; a client that reads nothing for 30 s is cut. \`remainingMs\` and \`nextInMs\` are measured when the event is published, in a replay and a snapshot when the message is sent. Count down from them, whatever the client's clock says. \`game:ready\` asks for a snapshot of what players see now. In a snapshot, \`game:question\` has \`yourAnswer\` for a player: the stored answer, or null.

**Acknowledgements.** A message with a \`ref\` that has taken effect gets an \`ack\` with the same \`ref\`, once, on its socket alone and without a number: after the snapshot or the first chunk of a replay for \`lobby:join\` and \`game:ready\`, otherwise when its effect is stored, before or after the events that it causes. Who leaves gets the \`ack\` and nothing else. Without a \`ref\` nothing is acknowledged.

**Refusals.** A refused message gets an \`error\` with the HTTP-like status as \`code\`, a stable \`reason\` ([all of them](/docs/errors)), and the \`ref\` of the message if it had one; the connection stays open. The refusals of \`lobby:start\` have this order: \`NOT_IN_LOBBY\`, \`NOT_HOST\`, \`LOBBY_NOT_WAITING\`, \`NOT_ENOUGH_PLAYERS\`, then \`LIST_NOT_FOUND\` if the host can't read the list or can no longer read it, \`NO_MATCHING_TERMS\`, \`NOT_ENOUGH_TERMS\`, \`NOT_ENOUGH_DISTRACTORS\`.

**Limits.** A frame has at most 16 KiB. Each connection may send at most 20 messages a second with a burst of 40, and at most 40 of its messages wait to be handled. Further messages get an \`error\` 429, whose \`retryAfterMs\` says how long to wait. Binary frames, pings and pongs count too. After 40 such refusals without a pause of a second the connection is closed with 1008 and cut. A \`lobby:join\` also gets an \`error\` 429 after too many wrong codes, here or over HTTP: ten in a quarter of an hour are answered with 403 or 404, unless the service is configured otherwise. This \`error\` does not count towards 1008, and the limit does not apply to lobbies of which the user is a member. When a client disconnects, its waiting messages are dropped, except \`lobby:leave\`. The service pings every 30 s. It cuts a connection that has not answered two pings, or that does not read what it is sent.`;

const CLIENT_ROWS = Object.values(CLIENT_MESSAGES);
const SERVER_ROWS = Object.values(SERVER_MESSAGES);
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
  { code: CLOSE_CODES.policy, meaning: 'Too many messages.', advice: 'Wait before you connect again.' },
  { code: 1009, meaning: 'A frame was too large.', advice: 'Send smaller frames.' },
  {
    code: CLOSE_CODES.restart,
    meaning: 'The replica is stopping.',
    advice: 'Connect again at once, and resume with `since` and `mark`.',
  },
  { code: CLOSE_CODES.signedOut, meaning: 'The session has ended.', advice: 'Sign in first.' },
];

const retryHeader = (status: number) => (status === 429 || status === 503 ? { headers: ['retry-after'] } : {});

export interface SocketDescriptionOptions {
  version: string;
  /** The service's own origin; it decides the address and the session cookie's name. */
  publicUrl: string;
}

const { getSocketDescription } = describeOperations(
  { tag: 'Operations', access: 'anyone' },
  {
    getSocketDescription: {
      at: 'GET /api/asyncapi.json',
      summary: 'The description of the socket',
      description: 'AsyncAPI 3: the messages of `/ws`.',
      replies: {
        200: z.looseObject({
          asyncapi: z.string().meta({ description: 'The version of the format.', examples: ['3.0.0'] }),
        }),
      },
    },
  },
);

export function socketDescriptionRoute(options: SocketDescriptionOptions): Route {
  const description = jsonFile(describeSocket(options));
  return route(getSocketDescription, async (request, reply) => sendFile(request, reply, description, 'no-cache'));
}

/** @returns an AsyncAPI 3 document; its operations are named from the service's point of view */
function describeSocket({ version, publicUrl }: SocketDescriptionOptions) {
  const { host, protocol } = new URL(publicUrl);
  const isSecure = protocol === 'https:';
  return {
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
        description: 'A socket is in one lobby at a time.',
        servers: [{ $ref: '#/servers/service' }],
        messages: Object.fromEntries(ROWS.map((row) => [idOf(row), { $ref: `#/components/messages/${idOf(row)}` }])),
        bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
        'x-upgrade-refusals': UPGRADE_REFUSALS.map(([code, when]) => {
          const status = statusOf(code);
          return { status, code, when, ...retryHeader(status) };
        }),
        'x-close-codes': CLOSINGS,
      },
    },
    operations: {
      receive: {
        ...direction('receive', 'Client to service', CLIENT_ROWS),
        reply: { channel: CHANNEL, messages: SERVER_ROWS.filter(hasRef).map(referenceTo) },
      },
      send: direction('send', 'Service to client', SERVER_ROWS),
    },
    components: {
      messages: Object.fromEntries(ROWS.map((row) => [idOf(row), messageOf(row)])),
      schemas: schemasOf(),
      correlationIds: {
        ref: { description: 'A reply has the `ref` of its message.', location: '$message.payload#/ref' },
      },
      // Each code is a `reason` of an `error` message and a `code` of a problem over HTTP. /docs/errors shows
      // them.
      'x-refusals': ERROR_CODES.map((code) => ({
        status: statusOf(code),
        code,
        meaning: sentenceOf(code),
        advice: adviceOf(code),
      })),
      securitySchemes: {
        session: {
          type: 'httpApiKey',
          in: 'cookie',
          name: `${isSecure ? '__Secure-' : ''}better-auth.session_token`,
          description: 'The session cookie, which a sign-in over HTTP sets. It is read at the upgrade.',
        },
      },
    },
  };
}

function direction(action: 'receive' | 'send', title: string, rows: readonly Row[]) {
  return { action, title, channel: CHANNEL, messages: rows.map(referenceTo) };
}

const CHANNEL = { $ref: '#/channels/socket' };
const referenceTo = (row: Row) => ({ $ref: `#/channels/socket/messages/${idOf(row)}` });
const hasRef = ({ schema }: Row) => 'ref' in schema.shape;

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

/** @returns the id of a message's schema, which every message has */
function idOf({ schema }: Row): string {
  return schema.meta()?.id as string;
}

/** @returns the schemas of the messages, and all named schemas to which they refer, as JSON Schemas */
function schemasOf(): Record<string, object> {
  const schemas = namedSchemas('input', 'draft-7');
  return Object.fromEntries([...reachedFrom(ROWS.map(idOf), schemas)].map((id) => [id, schemas[id] as object]));
}
