// Sends unexpected input over HTTP and over the socket. Requests are generated from the service's API
// documents, so that new operations are fuzzed as well. FUZZ_CASES is the number of cases (npm run test:fuzz
// sends 100,000); FUZZ_SEED and FUZZ_PATH, which a failure prints, reproduce a case.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { beforeAll, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { statusOf } from '../../src/errors.ts';
import { Problem } from '../../src/http/problems/problem-schema.ts';
import { CLIENT_MESSAGES, COMMON_REFUSALS } from '../../src/realtime/messages.ts';
import { ServerMessage } from '../../src/realtime/schema.ts';
import { refOf } from '../../src/realtime/socket.ts';
import { useArena } from '../support/arena.ts';
import { authOperations, describedOperations, type Operation } from '../support/fuzz/operations.ts';
import {
  bytesOf,
  type FuzzRequest,
  type Reply,
  requestsOf,
  type Sender,
  send,
  type WrittenJson,
  writtenJson,
} from '../support/fuzz/requests.ts';
import { createMemory, type Json, type Memory, resolve, valuesOf } from '../support/fuzz/schema-values.ts';
import { createHttpClient } from '../support/http-client.ts';
import { type Player, postUntilDone } from '../support/player.ts';
import { createSignedInUser } from '../support/users.ts';

/** The codes of refusals that can come before the operation is reached. */
const EDGE_CODES = ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'];

/** @returns a function that throws if the service may not give such a reply, and returns the reply's body */
function createReplyCheck(document: Json, operations: Operation[]) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const validators = new Map<string, ReturnType<typeof ajv.compile>>();

  function validatorOf(key: string, schema: Json) {
    const made = validators.get(key) ?? ajv.compile({ ...schema, components: document.components });
    validators.set(key, made);
    return made;
  }

  function checkDescribed({ name, responses }: Operation, { status, headers }: Reply, body: Json) {
    if (!responses || EDGE_CODES.includes(body?.code)) return;
    const response = responses[status];
    expect(response, `${name}: ${status} is not described`).toBeDefined();
    const type = String(headers['content-type']).split(';')[0] ?? '';
    const schema = response.content?.[type]?.schema;
    if (!schema || body === undefined) return;
    const validate = validatorOf(`${name} ${status} ${type}`, schema);
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
  }

  return (fuzzed: FuzzRequest, reply: Reply): Json => {
    const { status, headers } = reply;
    const text = reply.text();
    // A busy machine may keep a store from answering the check of the readiness in time.
    const isUnready = fuzzed.path === '/api/health/ready' && status === 503;
    if (!isUnready) expect(status).toBeLessThan(500);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-request-id']).toMatch(/^[\w.-]{1,64}$/);
    // The vocabulary alone is kept for some time.
    if (/^\/api\/(v1(?!\/vocabulary$)|auth)\//.test(fuzzed.path))
      expect(headers['cache-control']).toMatch(/^no-store\b/);
    // A compressed document is checked without its body.
    const isJson = /json/.test(headers['content-type'] ?? '') && !headers['content-encoding'];
    const body = isJson && text !== '' ? JSON.parse(text) : undefined;
    if (status >= 400 && fuzzed.method !== 'HEAD' && !isUnready) checkRefusal(fuzzed, reply, body);
    const operation = byName.get(fuzzed.operation) as Operation;
    if (fuzzed.isDescribed) checkDescribed(operation, reply, body);
    return body;
  };
}

function checkRefusal({ path }: FuzzRequest, { status, headers }: Reply, body: Json): void {
  if (path.startsWith('/api/auth/') && !/problem/.test(headers['content-type'] ?? '')) {
    // This is the form of better-auth's own refusals. Some of its undescribed endpoints refuse without a body.
    if (body !== undefined) expect(body).toMatchObject({ message: expect.any(String) });
    return;
  }
  expect(headers['content-type']).toMatch(/^application\/problem\+json/);
  const problem = Problem.strict().parse(body);
  expect(statusOf(problem.code)).toBe(status);
  expect(problem).toMatchObject({ status, requestId: headers['x-request-id'] });
  if (problem.errors) expect(status).toBe(400);
}

const CASES = Number(process.env.FUZZ_CASES ?? 700);
/** Ordinary runs use one seed, so that a failure is caused by a change and not by chance. */
const SEED = process.env.FUZZ_SEED ?? (process.env.FUZZ_CASES ? undefined : 8);
const PATH = process.env.FUZZ_PATH;

/** The shares of the cases. Hashing a password is slow by design, and a conversation has many messages. */
const SHARES = { described: 0.7, accounts: 0.1, sockets: 0.2 };

const REFUSALS = [...COMMON_REFUSALS, ...Object.values(CLIENT_MESSAGES).flatMap(({ refusals }) => refusals)];

const TRIES = 4;
const ERROR_LEVEL = 50;
const CASE_MS = 60;
vi.setConfig({ testTimeout: 90_000 + CASES * CASE_MS });

const memory = createMemory();
let failures: string[] = [];
let url: string;
let openapi: Json;
let asyncapi: Json;
let cookies: Record<Sender, string>;

/** Checks that every log line is JSON, and collects errors. */
const log = new Writable({
  write(chunk, _encoding, done) {
    for (const line of String(chunk).split('\n').filter(Boolean))
      if (JSON.parse(line).level >= ERROR_LEVEL) failures.push(line);
    done();
  },
});

const env = { LOG_LEVEL: 'info', ROUND_DURATION_MS: '300', WEB_PAGE: 'false' };
const arena = useArena({ replicas: 1, env, log });
beforeAll(async () => {
  url = arena.replicas[0].url;
  const { get } = createHttpClient(url);
  [openapi, asyncapi] = [(await get('/api/openapi.json')).body, (await get('/api/asyncapi.json')).body];
  cookies = { nobody: '', forged: 'better-auth.session_token=x.y', ada: '', ben: '' };
  await signIn('ada');
  await signIn('ben');
});

async function signIn(sender: Sender): Promise<void> {
  const user = await createSignedInUser(arena.services);
  memory.remember({ email: user.email, userId: user.id });
  cookies[sender] = user.cookie;
}

/** Repeats a request after a 503, as clients have to on a busy machine. */
async function untilServed(ask: () => Promise<Reply>, tries = TRIES): Promise<Reply> {
  const reply = await ask();
  return reply.status === 503 && tries > 1 ? untilServed(ask, tries - 1) : reply;
}

/** Signs a user in again after a request that has ended the session or deleted the account. */
async function restoreSession(sender: Sender): Promise<void> {
  if (sender === 'nobody' || sender === 'forged') return;
  const client = createHttpClient(url, { cookie: cookies[sender] });
  if ((await client.get('/api/v1/vocabulary')).status === 401) await signIn(sender);
}

/** @returns the code of a new lobby that both players have joined */
async function createJoinedLobby([host, guest]: [Player, Player]): Promise<string> {
  const { code } = await postUntilDone(host, '/api/v1/lobbies', { settings: { rounds: 1 } });
  await postUntilDone(guest, `/api/v1/lobbies/${code}/join`, {});
  return code;
}

/** Checks a property. A failing case is shrunk and printed with its seed. */
function checkProperty<T>(values: fc.Arbitrary<T>, share: number, act: (value: T) => Promise<void>) {
  const property = fc.asyncProperty(values, async (value) => {
    failures = [];
    await act(value);
    expect(failures, 'errors in the log').toEqual([]);
    expect(({} as Json).polluted, 'every object of the process').toBeUndefined();
  });
  const numRuns = Math.round(CASES * share);
  return fc.assert(property, { numRuns, ...(SEED && { seed: Number(SEED) }), ...(PATH && { path: PATH }) });
}

function checkOperations(operations: Operation[], share: number): Promise<void> {
  const checkReply = createReplyCheck(openapi, operations);
  const requests = fc.oneof(...operations.map((one) => requestsOf(one, openapi)));
  return checkProperty(requests, share, async (fuzzed: FuzzRequest) => {
    const cookie = cookies[fuzzed.sender];
    const reply = await untilServed(() => send(url, fuzzed, cookie, memory));
    const body = checkReply(fuzzed, reply);
    memory.remember(body);
    if (reply.status === 401 || fuzzed.path.startsWith('/api/auth/')) await restoreSession(fuzzed.sender);
  });
}

it('[contract 1, 7] every request to an operation gets a reply that is described', async () => {
  const operations = describedOperations(openapi);
  expect(operations.length).toBeGreaterThan(10);
  await checkOperations(operations, SHARES.described);
});

it('[contract 6] every request to an account endpoint, described or not, gets no 5xx', async () => {
  const operations = authOperations(arena.services.auth, openapi);
  expect(operations.length).toBeGreaterThan(30);
  await checkOperations(operations, SHARES.accounts);
});

it('[contract 5, 23] two players who send any messages in any order receive only described messages, and one for each ref', async () => {
  const players: [Player, Player] = [await arena.player('Ada'), await arena.player('Ben')];
  await checkProperty(conversationsOf(asyncapi), SHARES.sockets, async ({ areInLobby, steps }) => {
    const code = areInLobby ? await createJoinedLobby(players) : undefined;
    const sockets = await Promise.all(players.map(({ user }) => openSocket(url, user.cookie, memory)));
    try {
      if (code) for (const socket of sockets) socket.sendMessage({ type: 'lobby:join', code });
      for (const { sender, ...step } of steps) sockets[sender]?.send(step);
      await Promise.all(sockets.map((socket) => socket.waitForReply()));
      for (const message of sockets.flatMap(({ messages }) => messages)) {
        expect(ServerMessage.safeParse(message).error?.issues).toBeUndefined();
        if (message.type === 'error') expect(REFUSALS).toContain(message.reason);
      }
      for (const { messages, refs } of sockets.filter((socket) => socket.isOpen()))
        expect(messages.flatMap(({ ref }) => ref ?? []).toSorted()).toEqual(refs.toSorted());
    } finally {
      for (const socket of sockets) socket.close();
    }
  });
});

// Generates conversations of two players' sockets: messages of the AsyncAPI document, valid and invalid, in any order.

const FRAMES = ['text', 'text', 'text', 'text', 'text', 'binary', 'ping', 'pong'] as const;

/** The most messages of a conversation. The rate limit allows a burst of more. [contract 5] */
const STEPS_MAX = 12;
const REPLY_TIMEOUT_MS = 20_000;

/** The close codes that a message may cause: 1007 for invalid UTF-8, and 1009 for a frame that is too large. */
const CLOSE_CODES = [1007, 1009];

/** @param document the AsyncAPI document */
function conversationsOf(document: Json) {
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
  // Both players may be in one lobby at the beginning.
  return fc.record({ areInLobby: fc.boolean(), steps: fc.array(step, { maxLength: STEPS_MAX, size: 'max' }) });
}

/** @throws Error if the service refuses the socket */
async function openSocket(url: string, cookie: string, memory: Memory) {
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
  await once(socket, 'open');
  socket.on('error', () => {});
  return {
    messages,
    /** The `ref` of each frame that has one; the service answers each of them once, unless it closes the socket. */
    refs,
    isOpen: () => socket.readyState === socket.OPEN,
    sendMessage: (message: object) => socket.send(JSON.stringify(message)),
    send({ frame, message }: { frame: (typeof FRAMES)[number]; message: WrittenJson }): void {
      if (socket.readyState !== socket.OPEN) return;
      const bytes = bytesOf(message, memory.fill);
      const ref = frame === 'text' ? refOf(bytes.toString()) : undefined;
      if (ref !== undefined) refs.push(ref);
      if (frame === 'ping' || frame === 'pong') socket[frame](bytes.subarray(0, 125));
      else socket.send(bytes, { binary: frame === 'binary' });
    },
    /** Sends a message of an unknown type and waits for its refusal, or for the socket's close. */
    async waitForReply(): Promise<void> {
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
