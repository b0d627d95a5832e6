// GET /api/asyncapi.json describes the socket. [contract 5, 7]
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors.ts';
import { CLOSE_CODES } from '../../src/realtime/connection.ts';
import { ClientMessage, ServerMessage } from '../../src/realtime/schema.ts';
import { useArena } from '../support/arena.ts';
import type { Json } from '../support/fuzz/schema-values.ts';
import { resolve } from '../support/fuzz/schema-values.ts';
import { answer, startGame } from '../support/game.ts';
import { createHttpClient } from '../support/http-client.ts';
import { undescribedFields } from '../support/openapi.ts';

let document: Json;
const arena = useArena();
beforeAll(async () => {
  document = (await createHttpClient(arena.replicas[0].url).get('/api/asyncapi.json')).body;
});

function messagesOf(action: 'send' | 'receive'): Map<string, Json> {
  const messages: Json[] = document.operations[action].messages;
  const resolved = messages.map(({ $ref }) => resolve(document, resolve(document, $ref).$ref));
  return new Map(resolved.map((message) => [message.name, message]));
}

function isValid(schema: Json, value: unknown): boolean {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  return ajv.compile({ ...schema, components: document.components })(value);
}

const typesOf = (options: readonly { shape: { type: { value: string } } }[]) =>
  options.map((option) => option.shape.type.value);

describe('GET /api/asyncapi.json', () => {
  it('is an AsyncAPI 3 document of this version and this address', () => {
    const { config, url } = arena.replicas[0];
    expect(document).toMatchObject({
      asyncapi: '3.1.0',
      info: { version: config.version },
      servers: { service: { host: new URL(url).host, protocol: 'ws' } },
      channels: { socket: { address: '/ws' } },
    });
    for (const [action, operation] of Object.entries<Json>(document.operations))
      expect(operation).toMatchObject({ action, channel: { $ref: '#/channels/socket' } });
  });

  it('describes every field', () => {
    expect(undescribedFields(document)).toEqual([]);
  });

  it('describes every message of both directions, and no others', () => {
    expect([...messagesOf('receive').keys()]).toEqual(typesOf(ClientMessage.options));
    expect([...messagesOf('send').keys()]).toEqual(typesOf(ServerMessage.options));
    const named = Object.keys(document.components.messages).length;
    expect(named).toBe(ClientMessage.options.length + ServerMessage.options.length);
  });

  it.each([
    ['receive', ClientMessage],
    ['send', ServerMessage],
  ] as const)('gives each message to %s a summary and examples that match its schema', (action, union) => {
    for (const [type, { summary, payload, examples }] of messagesOf(action)) {
      expect(summary, type).toEqual(expect.any(String));
      expect(examples.length, type).toBeGreaterThan(0);
      for (const { payload: example } of examples) {
        expect(example.type).toBe(type);
        expect(union.safeParse(example).error, type).toBeUndefined();
        expect(isValid(payload, example), type).toBe(true);
        expect(isValid(payload, { ...example, type: 'another' }), type).toBe(false);
      }
    }
  });

  it('allows no unknown field in a message, and lists every error code', () => {
    const { GameReady, Error: error } = document.components.schemas;
    expect(isValid(GameReady, { type: 'game:ready', extra: 1 })).toBe(false);
    expect(error.properties.reason.enum).toEqual(ERROR_CODES);
  });

  it('lists every close code and every refusal of the upgrade in its order, and correlates refusals by `ref`', () => {
    const { channels, components, operations } = document;
    const codes = channels.socket['x-close-codes'].map(({ code }: Json) => code);
    expect(codes.sort()).toEqual([...Object.values(CLOSE_CODES), 1009].sort());
    const refusals = channels.socket['x-upgrade-refusals'].map(({ status }: Json) => status);
    expect(refusals).toEqual([426, 403, 503, 429, 401, 429, 503]);
    expect(components.correlationIds.ref.location).toBe('$message.payload#/ref');
    for (const { name, correlationId } of messagesOf('receive').values()) expect(correlationId, name).toBeDefined();
    expect(operations.receive.reply.messages).toContainEqual({ $ref: '#/channels/socket/messages/Error' });
    expect(components.securitySchemes.session.name).toBe('better-auth.session_token');
  });
});

it('every message that the service sends in a game matches its description, without further fields', async () => {
  const { ada, ben } = await startGame(arena, { rounds: 1 });
  await ada.refused({ type: 'lobby:start' });
  for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
  for (const player of [ada, ben]) await player.next('game:finished');
  const described = messagesOf('send');
  const strict = new Map(ServerMessage.options.map((option) => [option.shape.type.value as string, option.strict()]));
  for (const message of [...ada.messages, ...ben.messages]) {
    expect(isValid(described.get(message.type).payload, message), message.type).toBe(true);
    expect(strict.get(message.type)?.safeParse(message).error).toBeUndefined();
  }
});
