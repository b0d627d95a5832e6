// A client of a lobby's stream of events, which records what it gets, byte by byte as it comes. [contract 24]
import { type IncomingMessage, request } from 'node:http';
import type { ServerMessage } from '../../src/realtime/schema.ts';
import { createHttpClient } from './http-client.ts';
import type { OpenLine } from './player.ts';
import type { UpgradeResponse } from './upgrade.ts';

type StreamBlock = { id?: string; event?: string; data?: string; retry?: string; isComment: boolean };

export type TestStream = ReturnType<typeof record>;
export type StreamRefusal = UpgradeResponse;

/** @param path the path of the stream, with its query @param onMessage is called with each message */
export async function openStream(
  url: string,
  path: string,
  headers: Record<string, string>,
  onMessage: (message: ServerMessage) => void = () => {},
): Promise<TestStream | StreamRefusal> {
  const sent = request(new URL(path, url), { headers, agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end();
  });
  response.setEncoding('utf8');
  if (response.statusCode !== 200) {
    const text = (await response.toArray()).join('');
    return { status: response.statusCode ?? 0, headers: response.headers, body: text ? JSON.parse(text) : undefined };
  }
  return record(response, onMessage);
}

function record(response: IncomingMessage, onMessage: (message: ServerMessage) => void) {
  const blocks: StreamBlock[] = [];
  const messages: ServerMessage[] = [];
  const closed = new Promise((resolve) => response.on('error', () => {}).once('close', resolve));
  let text = '';
  response.on('data', (part: string) => {
    const parts = (text + part).split('\n\n');
    text = parts.pop() ?? '';
    for (const block of parts.map(blockOf)) {
      blocks.push(block);
      if (block.event || block.data === undefined) continue;
      const message = JSON.parse(block.data) as ServerMessage;
      messages.push(message);
      onMessage(message);
    }
  });
  return {
    response,
    blocks,
    messages,
    /** @returns the last id, as a client names it that comes back */
    lastId: () => blocks.findLast(({ id }) => id !== undefined)?.id,
    /** Resolves with the last named event when the stream has ended; null where it was cut without a word. */
    ended: closed.then(() => blocks.findLast(({ event }) => event) ?? null),
    drop: () => void response.destroy(),
  };
}

function blockOf(text: string): StreamBlock {
  const lines = text.split('\n');
  const fields = lines.filter((line) => !line.startsWith(':')).map((line) => line.split(/: ?(.*)/s, 2));
  return { ...Object.fromEntries(fields), isComment: fields.length === 0 };
}

export const isStream = (answer: TestStream | StreamRefusal): answer is TestStream => 'blocks' in answer;

type Join = { code?: string; since?: number; mark?: string };

/** A stream with requests, which takes and gives the messages that a socket does. */
export const openStreamLine: OpenLine = async (url, cookie, on) => {
  const http = createHttpClient(url, { cookie });
  let code: string | undefined;
  let stream: TestStream | undefined;
  let sending: Promise<unknown> = Promise.resolve();

  async function join({ since, mark }: Join): Promise<StreamRefusal | undefined> {
    const fields = Object.entries({ since, mark }).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(fields as [string, string][]);
    stream?.drop();
    const opened = await openStream(url, `/api/v1/lobbies/${code}/events?${query}`, { cookie }, on.message);
    if (!isStream(opened)) return opened;
    stream = opened;
    void opened.ended.then((last) => {
      const endOrCut = opened.response.complete ? 1000 : 1006;
      if (stream === opened && last?.event !== 'end') on.close(last ? JSON.parse(last.data ?? '').code : endOrCut);
    });
    return undefined;
  }

  async function post(message: object): Promise<StreamRefusal | undefined> {
    const reply = await http.post(`/api/v1/lobbies/${code}/messages`, message);
    if (reply.status >= 300) return { ...reply, headers: {} };
    for (const shown of reply.body?.messages ?? []) on.message(shown);
    return undefined;
  }

  async function handle({ ref, ...message }: Join & { ref?: string; type: string }): Promise<void> {
    code = message.code ?? code;
    const refusal = message.type === 'lobby:join' ? await join(message) : await post(message);
    const { status, code: reason, detail } = refusal?.body ?? {};
    if (refusal) on.message({ type: 'error', code: status, reason, message: detail, ...(ref && { ref }) });
    else if (ref) on.message({ type: 'ack', ref });
  }

  return {
    send(text) {
      sending = sending.then(() => handle(JSON.parse(text)));
    },
    terminate: () => stream?.drop(),
    pause: () => stream?.response.pause(),
    resume: () => stream?.response.resume(),
    close: () => stream?.drop(),
  };
};
