// Generates conversations of two players' sockets: messages of the AsyncAPI document, valid and invalid, in
// any order.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import WebSocket from 'ws';
import { refOf } from '../../../src/realtime/dispatch.ts';
import { bytesOf, type WrittenJson, writtenJson } from './requests.ts';
import { type Json, type Memory, resolve, valuesOf } from './schema-values.ts';

const FRAMES = ['text', 'text', 'text', 'text', 'text', 'binary', 'ping', 'pong'] as const;

interface Step {
  sender: 0 | 1;
  frame: (typeof FRAMES)[number];
  message: WrittenJson;
}

export interface FuzzConversation {
  /** Whether both players are in one lobby at the beginning. */
  areInLobby: boolean;
  steps: Step[];
}

/** The most messages of a conversation. The rate limit allows a burst of more. [contract 5] */
const STEPS_MAX = 12;
const REPLY_TIMEOUT_MS = 20_000;

/**
 * The close codes that a message may cause: 1007 for invalid UTF-8, and 1009 for a frame that is too large.
 */
const CLOSE_CODES = [1007, 1009];

/** @param document the AsyncAPI document */
export function conversationsOf(document: Json): fc.Arbitrary<FuzzConversation> {
  const messages: Json[] = document.operations.receive.messages;
  const payloads = messages.map(({ $ref }) => {
    const { payload } = resolve(document, resolve(document, $ref).$ref);
    return valuesOf(payload, document);
  });
  const values = fc.oneof({ weight: 12, arbitrary: fc.oneof(...payloads) }, { weight: 1, arbitrary: fc.jsonValue() });
  const step = fc.record({
    sender: fc.constantFrom(0 as const, 1 as const),
    frame: fc.constantFrom(...FRAMES),
    message: writtenJson(values),
  });
  return fc.record({ areInLobby: fc.boolean(), steps: fc.array(step, { maxLength: STEPS_MAX, size: 'max' }) });
}

export interface FuzzSocket {
  send(step: Omit<Step, 'sender'>): void;
  /** Sends a message of an unknown type and waits for its refusal, or for the socket's close. */
  waitForReply(): Promise<void>;
  sendMessage(message: object): void;
  messages: Json[];
  /** The `ref` of each frame that has one; the service answers each of them once, unless it closes the socket. */
  refs: string[];
  isOpen(): boolean;
  close(): void;
}

/** @throws Error if the service refuses the socket */
export async function openSocket(url: string, cookie: string, memory: Memory): Promise<FuzzSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { cookie } });
  const messages: Json[] = [];
  const refs: string[] = [];
  const ended = Promise.withResolvers<number>();
  let onMessage = () => {};
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString());
    memory.remember(message);
    messages.push(message);
    onMessage();
  });
  socket.on('close', ended.resolve);
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  return {
    messages,
    refs,
    isOpen: () => socket.readyState === socket.OPEN,
    sendMessage: (message) => socket.send(JSON.stringify(message)),
    send({ frame, message }) {
      if (socket.readyState !== socket.OPEN) return;
      const bytes = bytesOf(message, memory.fill);
      const ref = frame === 'text' ? refOf(bytes.toString()) : undefined;
      if (ref !== undefined) refs.push(ref);
      if (frame === 'ping' || frame === 'pong') socket[frame](bytes.subarray(0, 125));
      else socket.send(bytes, { binary: frame === 'binary' });
    },
    async waitForReply() {
      const done = Promise.withResolvers<void>();
      // The memory may fill later messages with this ref, but not those of this socket.
      const end = `the end ${randomUUID()}`;
      onMessage = () => messages.at(-1)?.ref === end && done.resolve();
      const late = setTimeout(() => done.reject(new Error('No reply on the socket.')), REPLY_TIMEOUT_MS);
      refs.push(end);
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ type: 'nothing', ref: end }));
      const code = await Promise.race([done.promise, ended.promise]);
      clearTimeout(late);
      if (code !== undefined && !CLOSE_CODES.includes(code))
        throw new Error(`The service closed the socket with ${code}.`);
    },
    close: () => socket.terminate(),
  };
}
