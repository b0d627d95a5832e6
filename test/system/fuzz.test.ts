// Whatever anybody sends, over HTTP and over the socket: requests are made from the service's own
// descriptions, so that what is added to these is fuzzed by itself. FUZZ_CASES says how many (npm run
// test:fuzz does 100,000); FUZZ_SEED and FUZZ_PATH, which a failure prints, bring a case back.
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServerMessage } from '../../src/realtime/schema.ts';
import { type Arena, startArena } from '../support/arena.ts';
import { authOperations, describedOperations, type Operation } from '../support/fuzz/operations.ts';
import {
  type FuzzRequest,
  type Reply,
  requestsOf,
  send,
  type Who,
} from '../support/fuzz/requests.ts';
import { createMemory, type Json } from '../support/fuzz/schema-values.ts';
import { conversationsOf, type FuzzConversation, openSocket } from '../support/fuzz/sockets.ts';
import { createVerdict } from '../support/fuzz/verdict.ts';
import { createHttpClient } from '../support/http-client.ts';
import { type Player, postUntilDone } from '../support/player.ts';
import { createSignedInUser } from '../support/users.ts';

const CASES = Number(process.env.FUZZ_CASES ?? 3000);
/** The ordinary run asks the same each time: what it finds is its change's, not chance's. */
const ORDINARY_SEED = 8;
const SEED = chosenSeed();
const PATH = process.env.FUZZ_PATH;

/** Hashing a password on purpose takes long, and a conversation is many messages. */
const SHARES = { described: 0.7, accounts: 0.1, sockets: 0.2 };

const TRIES = 4;
const ERROR_LEVEL = 50;
const MINUTES_PER_CASE = 1 / 1000;
const timeoutMs = 90_000 + CASES * MINUTES_PER_CASE * 60_000;

function chosenSeed(): number | undefined {
  if (process.env.FUZZ_SEED) return Number(process.env.FUZZ_SEED);
  return process.env.FUZZ_CASES ? undefined : ORDINARY_SEED;
}

const memory = createMemory();
const statuses = new Map<number, number>();
let failures: string[] = [];
let arena: Arena;
let url: string;
let openapi: Json;
let asyncapi: Json;
let cookies: Record<Who, string>;

/** Every line of the log is one of JSON, and none is an error. */
const log = new Writable({
  write(chunk, _encoding, done) {
    for (const line of String(chunk).split('\n').filter(Boolean))
      if (JSON.parse(line).level >= ERROR_LEVEL) failures.push(line);
    done();
  },
});

beforeAll(async () => {
  const env = { LOG_LEVEL: 'info', ROUND_DURATION_MS: '300', WEB_PAGE: 'false' };
  arena = await startArena({ replicas: 1, env, log });
  url = arena.replicas[0]?.url ?? '';
  const client = createHttpClient(url);
  openapi = (await client.get('/api/openapi.json')).body;
  asyncapi = (await client.get('/api/asyncapi.json')).body;
  cookies = { nobody: '', forged: 'better-auth.session_token=x.y', ada: '', ben: '' };
  await signIn('ada');
  await signIn('ben');
});
afterAll(async () => {
  if (process.env.FUZZ_CASES)
    console.log(`replies: ${JSON.stringify(Object.fromEntries(statuses))}`);
  await arena.stop();
});

async function signIn(who: Who): Promise<void> {
  const service = arena.replicas[0] as Arena['replicas'][number];
  const user = await createSignedInUser(service.services);
  memory.keep({ email: user.email, userId: user.id });
  cookies[who] = user.cookie;
}

/** As clients do: on a machine that is busy with other work, a 503 is tried again. */
async function untilServed(ask: () => Promise<Reply>): Promise<Reply> {
  for (let left = TRIES; left > 1; left--) {
    const reply = await ask();
    if (reply.status !== 503) return reply;
  }
  return ask();
}

/** Signed out, or deleted: that too is something that one can ask for. */
async function comeBack(who: Who): Promise<void> {
  if (who === 'nobody' || who === 'forged') return;
  const client = createHttpClient(url, { cookie: cookies[who] });
  if ((await client.get('/api/v1/vocabulary')).status === 401) await signIn(who);
}

/** @returns the code of a new lobby that both are in */
async function meet([host, guest]: [Player, Player]): Promise<string> {
  const { code } = await postUntilDone(host, '/api/v1/lobbies', { settings: { rounds: 1 } });
  await postUntilDone(guest, `/api/v1/lobbies/${code}/join`, {});
  return code;
}

/** Runs a property; what fails is shrunk and printed with its seed. */
function hold<T>(values: fc.Arbitrary<T>, share: number, act: (value: T) => Promise<void>) {
  const property = fc.asyncProperty(values, async (value) => {
    failures = [];
    await act(value);
    expect(failures, 'errors in the log').toEqual([]);
    expect(({} as Json).polluted, 'every object of the process').toBeUndefined();
  });
  const numRuns = Math.round(CASES * share);
  return fc.assert(property, {
    numRuns,
    ...(SEED !== undefined && { seed: SEED }),
    ...(PATH && { path: PATH }),
  });
}

function holdOperations(operations: Operation[], share: number): Promise<void> {
  const verdict = createVerdict(openapi, operations);
  const requests = fc.oneof(...operations.map((one) => requestsOf(one, openapi)));
  return hold(requests, share, async (asked: FuzzRequest) => {
    const cookie = cookies[asked.who];
    const reply = await untilServed(() => send(url, asked, cookie, memory));
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    const body = verdict(asked, reply);
    memory.keep(body);
    if (reply.status === 401 || asked.path.startsWith('/api/auth/')) await comeBack(asked.who);
  });
}

it(
  '[contract 1, 7] whatever is asked of an operation, the reply is one that is described',
  async () => {
    const operations = describedOperations(openapi);
    expect(operations.length).toBeGreaterThan(10);
    await holdOperations(operations, SHARES.described);
  },
  timeoutMs,
);

it(
  '[contract 6] whatever is asked of an account endpoint, described or not, it does not fail',
  async () => {
    const { auth } = (arena.replicas[0] as Arena['replicas'][number]).services;
    const operations = authOperations(auth, openapi);
    expect(operations.length).toBeGreaterThan(30);
    await holdOperations(operations, SHARES.accounts);
  },
  timeoutMs,
);

it(
  '[contract 5] whatever two players send, in whatever order, they are told what is described',
  async () => {
    const players: [Player, Player] = [await arena.player('Ada'), await arena.player('Ben')];
    await hold(
      conversationsOf(asyncapi),
      SHARES.sockets,
      async ({ isSeated, steps }: FuzzConversation) => {
        const code = isSeated ? await meet(players) : undefined;
        const sockets = await Promise.all(
          players.map(({ user }) => openSocket(url, user.cookie, memory)),
        );
        try {
          if (code) for (const socket of sockets) socket.say({ type: 'lobby:join', code });
          for (const { who, ...step } of steps) sockets[who]?.send(step);
          await Promise.all(sockets.map((socket) => socket.settle()));
          for (const message of sockets.flatMap(({ messages }) => messages)) {
            expect(ServerMessage.safeParse(message).error?.issues).toBeUndefined();
            if (message.type === 'error') expect(message.reason).not.toBe('INTERNAL_ERROR');
          }
        } finally {
          for (const socket of sockets) socket.close();
        }
      },
    );
  },
  timeoutMs,
);
