// No accepted request or message, however large and whatever its texts, blocks the event loop for 10 ms.
// Bodies to the account paths are a test of the system. [contract 17]
import { beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { registeredRoutes } from '../support/edge.ts';
import { describedOperations, type Operation } from '../support/fuzz/operations.ts';
import { type Json, resolve } from '../support/fuzz/schema-values.ts';
import { createHttpClient } from '../support/http-client.ts';
import {
  type Act,
  expectCheap,
  formsOf,
  HARMLESS_PART,
  HOSTILE_PARTS,
  sampleOf,
  sendRawRequest,
  unboundedTexts,
  useSender,
} from '../support/input-cost.ts';
import { useService } from '../support/service.ts';

const FRAME_BYTES = 16 * 1024;
/** Node.js accepts 16 KiB of headers and address together. */
const HEADER_LENGTH = 12_000;

/**
 * How long a request with any header may block the event loop, in ms, client included: half of the contract's limit.
 * Thousands of cookies take 2 ms, and the kernel counts CPU time in ticks of 4 ms.
 */
const HEADER_TURN_MAX_MS = 5;

const ID = '00000000-0000-4000-8000-000000000000';

/** These parts are repeated in a header, which contains Latin-1 characters alone. */
const HEADER_PARTS = ['a/b,', 'text/csv;q=0.1,', 'a=b;', ';', ',', ' ', '%41', '"', '9', 'é'];
const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cookie',
  'forwarded',
  'if-none-match',
  'origin',
  'range',
  'referer',
  'traceparent',
  'user-agent',
  'x-forwarded-for',
  'x-request-id',
  'access-control-request-headers',
];

const { service } = useService({ GUESTS: 'true' });
const sender = useSender(service);
let asyncapi: Json;
beforeAll(async () => {
  asyncapi = (await createHttpClient(service.url).get('/api/asyncapi.json')).body;
});

describe('[contract 17] the event loop is not blocked for 10 ms', () => {
  it('by any body of an operation that is described', async () => {
    await sender.expectCheapBodies(describedOperations(sender.openapi));
  }, 300_000);

  it('and every text in a body or message has a described maximum length', () => {
    const bodies = describedOperations(sender.openapi).filter(({ body }) => body);
    for (const { name, body } of bodies) expect(unboundedTexts(body, sender.openapi), name).toEqual([]);
    for (const { name, payload } of messages()) expect(unboundedTexts(payload, asyncapi), name).toEqual([]);
  });

  it('by any message of a socket', async () => {
    expect(messages().length).toBeGreaterThan(8);
    for (const { name, payload } of messages()) {
      const { hostile, harmless } = formsOf(sampleOf(payload, asyncapi), FRAME_BYTES);
      for (const { what, json } of hostile) await expectCheapMessage(`${name} ${what}`, json, harmless);
    }
  }, 300_000);

  it('by any path or query', async () => {
    for (const operation of describedOperations(sender.openapi))
      for (const parameter of operation.parameters)
        for (const [what, part] of Object.entries({ ...HOSTILE_PARTS, harmless: HARMLESS_PART })) {
          const encoded = encodeURIComponent(part);
          const text = encoded.repeat(HEADER_LENGTH / encoded.length);
          await expectCheap(
            `${operation.name} ${parameter.name}: ${what}`,
            ask(operation, parameter, text),
            ask(operation, parameter, 'a'.repeat(HEADER_LENGTH)),
          );
        }
  }, 120_000);

  it.each(['/', `/api/v1/games/${ID}`, '/api/auth/get-session'])('by any header of a request for %s', async (path) => {
    for (const name of HEADERS) for (const part of HEADER_PARTS) await expectCheapHeader(path, name, part);
  });

  it('by a header that a handler reads, of a request to any operation', async () => {
    const paths = registeredRoutes(service.app).filter(({ method }) => method === 'GET');
    expect(paths.length).toBeGreaterThan(20);
    for (const { path } of paths)
      for (const name of ['accept', 'accept-encoding', 'accept-language', 'content-type', 'cookie'])
        for (const part of ['text/html;q=0x ', 'a/b,', 'a=b;'])
          await expectCheapHeader(path.replace(/:\w+|\*$/g, ID), name, part);
  }, 300_000);
});

async function expectCheapHeader(path: string, name: string, part: string): Promise<void> {
  const send = (value: string) => () =>
    sendRawRequest(service.url, { method: 'GET', path, headers: { cookie: sender.cookie, [name]: value } });
  const hostile = part.repeat(HEADER_LENGTH / part.length);
  await expectCheap(`${path} ${name}: ${part}`, send(hostile), send('a'.repeat(HEADER_LENGTH)), HEADER_TURN_MAX_MS);
}

function messages(): { name: string; payload: Json }[] {
  return asyncapi.operations.receive.messages.map(({ $ref: name }: Json) => {
    return { name, payload: resolve(asyncapi, resolve(asyncapi, name).$ref).payload };
  });
}

function ask({ method, path }: Operation, parameter: Operation['parameters'][number], text: string): Act {
  const isInPath = parameter.in === 'path';
  const filled = path.replace(`{${parameter.name}}`, isInPath ? text : 'x').replace(/\{\w+\}/g, ID);
  const address = isInPath ? filled : `${filled}?${parameter.name}=${text}`;
  const headers = { cookie: sender.cookie };
  return () => sendRawRequest(service.url, { method, path: address, headers });
}

async function expectCheapMessage(what: string, hostile: string, harmless: string): Promise<void> {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/ws`, { headers: { cookie: sender.cookie } });
  const ended = Promise.withResolvers<void>();
  socket.on('close', () => ended.resolve());
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  /** Waits until the service has handled the message. */
  const sending = (json: string) => async () => {
    const handled = Promise.withResolvers<void>();
    const onMessage = (data: Buffer) => data.includes('the end') && handled.resolve();
    socket.on('message', onMessage);
    socket.send(json);
    socket.send('{"type":"nothing","ref":"the end"}');
    await Promise.race([handled.promise, ended.promise]);
    socket.off('message', onMessage);
  };
  await expectCheap(what, sending(hostile), sending(harmless)).finally(() => socket.terminate());
}
