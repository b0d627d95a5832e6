// The operations of lobbies in play, for clients whose WebSockets don't get through. [contract 24]
import { z } from 'zod';
import { BUDGETS } from '../budgets.ts';
import { describeOperations } from '../http/operation.ts';
import { CODE_MISSES, CodeParams } from '../lobby/schema.ts';
import { CLIENT_MESSAGES } from './messages.ts';
import { MARK_MAX, natural, RequestMessage, ShownMessages } from './schema.ts';

const EventStream = z
  .string()
  .describe('Each event is a line `data:` of JSON: a message as a socket gets it, see `/api/asyncapi.json`.')
  .meta({
    contentMediaType: 'text/event-stream',
    examples: ['retry: 1000\n\nid: 12-b75e20c98a16fd43\ndata: {"type":"lobby:state","seq":12, … }\n\n'],
  });

/** A member need not have entered the lobby. */
const refusals = new Set(Object.values(CLIENT_MESSAGES).flatMap((row) => row.refusals));
refusals.delete('NOT_IN_LOBBY');

export const operations = describeOperations(
  { tag: 'Lobbies', access: 'user' },
  {
    followLobby: {
      at: 'GET /api/v1/lobbies/:code/events',
      summary: 'Follow a lobby where WebSockets do not get through',
      description: `A stream of server-sent events: what a socket gets that has sent \`lobby:join\`, in the same order. Numbered messages have an
\`id\`; send the last one as \`Last-Event-ID\` to go on after it. The stream counts as a socket. It ends after a minute, with
\`event: close\` and \`{ "code": 1012 }\`: then connect again, within 5 seconds, to stay connected for the others. 4401: you are
signed out. \`event: end\`: you have left, or the lobby is closed. ${CODE_MISSES}`,
      isStream: true,
      params: CodeParams,
      headers: z.looseObject({
        'last-event-id': z.string().optional().describe('The `id` of the last event that you have seen.'),
      }),
      query: z
        .strictObject({
          since: z
            .string()
            .regex(/^\d{1,16}$/)
            .transform(Number)
            .pipe(natural)
            .optional()
            .describe('The last `seq` that you have seen, unless you send `Last-Event-ID`.'),
          mark: z.string().max(MARK_MAX).optional().describe('The `mark` of that event.'),
        })
        .refine(({ since, mark }) => mark === undefined || since !== undefined, {
          path: ['mark'],
          error: 'goes with since',
        }),
      replies: { 200: EventStream },
      refusals: ['FORBIDDEN_ORIGIN', 'LOBBY_NOT_FOUND', 'KICKED', 'NOT_A_MEMBER'],
    },

    sendMessage: {
      at: 'POST /api/v1/lobbies/:code/messages',
      summary: 'Send a message to a lobby where WebSockets do not get through',
      description: `What a socket sends, see \`/api/asyncapi.json\`. 204: it has taken effect. The events come by the stream, but no stream needs
to be open. At most ${BUDGETS.messagesOfUser.max} a second, ${BUDGETS.messageBurstOfUser.max} at once. ${CODE_MISSES}`,
      load: 'ongoing',
      params: CodeParams,
      body: RequestMessage,
      bodyLimit: BUDGETS.message.max,
      replies: { 200: ShownMessages, 204: z.null() },
      refusals: [...refusals],
    },
  },
);
