// Bounds what replies take. Every reply of more than 64 KiB counts until its reader has taken it, is refused where a
// budget has no room, and is sent in parts, each of which waits for the reader. Only some replies are made at once for a
// user and a client address, so that nobody's large reads take all connections to PostgreSQL. [contract 17]
import { finished, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BUDGETS } from '../budgets.ts';
import { createConcurrencyLimit } from '../platform/overload/concurrency-limit.ts';
import { type Held, holdBytes } from '../platform/overload/held-bytes.ts';
import { countedNetworks } from './client-address.ts';

const PART_BYTES = BUDGETS.replyPart.max;
/** Buffers that all readers share. A reply with one holds no memory of its own, so that it is not counted. */
const sharedBodies = new WeakSet<Buffer>();

/** @returns the same bytes, such as a file of the page */
export function shared(body: Buffer): Buffer {
  sharedBodies.add(body);
  return body;
}

export function registerReplies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    try {
      done(null, inParts(request, reply, payload));
    } catch (error) {
      // These headers describe the reply that is not sent.
      for (const name of ['content-disposition', 'etag']) reply.removeHeader(name);
      done(error as Error);
    }
  });
}

function inParts(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const hold = () => holdBytes(holdersOf(request));
  if (payload instanceof Readable) {
    if (request.method !== 'HEAD') return Readable.from(countedParts(payload, hold));
    // Fastify would read the whole stream to no end.
    payload.destroy();
    return Readable.from([]);
  }
  const bytes = largeBody(payload);
  if (!bytes || request.method === 'HEAD') return payload;
  const held = hold();
  held.add(bytes.length);
  finished(reply.raw, () => held.free());
  reply.header('content-length', bytes.length);
  return Readable.from(slicesOf(bytes));
}

/** @returns the bytes of a reply that counts; undefined for a small or a shared one */
function largeBody(payload: unknown): Buffer | undefined {
  if (typeof payload === 'string') {
    // A UTF-16 unit has at most three bytes.
    const isSmall = payload.length * 3 <= PART_BYTES || Buffer.byteLength(payload) <= PART_BYTES;
    return isSmall ? undefined : Buffer.from(payload);
  }
  if (!Buffer.isBuffer(payload) || payload.length <= PART_BYTES) return undefined;
  return sharedBodies.has(payload) ? undefined : payload;
}

/** Counts each part of a stream that is large by itself, until the reader has taken it. */
async function* countedParts(parts: Readable, hold: () => Held) {
  for await (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : (part as Buffer);
    if (bytes.length <= PART_BYTES) {
      yield bytes;
      continue;
    }
    const held = hold();
    try {
      held.add(bytes.length);
      yield* slicesOf(bytes);
    } finally {
      held.free();
    }
  }
}

function* slicesOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}

/** The user comes first, whose own excess needs no other budget. */
function holdersOf({ user, clientAddress }: FastifyRequest) {
  return [
    ...(user ? [{ budget: 'repliesOfUser', key: user.id } as const] : []),
    ...countedNetworks(clientAddress).map((network) => ({ budget: 'repliesOfAddress' as const, ...network })),
    { budget: 'repliesOfReplica', key: '' } as const,
  ];
}

/** Does work in a turn of a user and an address. */
type Turn = <T>(work: () => Promise<T>) => Promise<T>;
const turns = new WeakMap<FastifyRequest, Turn>();

/**
 * Makes the first part before the reply begins: a failure until then is answered by an error. A failure after that
 * ends the connection, so that no client takes a part for the whole.
 * @param parts the texts of the reply; each is made in the turn of its user
 */
export async function streamed(request: FastifyRequest, parts: AsyncGenerator<string>): Promise<Readable> {
  const first = await parts.next();
  const inTurn = turns.get(request) ?? ((work) => work());
  async function* all() {
    try {
      for (let part = first; !part.done; part = await inTurn(() => parts.next())) yield part.value;
    } finally {
      await parts.return(undefined);
    }
  }
  return Readable.from(all());
}

/** @returns a function that limits GET and HEAD of a scope, whose earlier hooks set `request.user` */
export function createReadLimit(): (scope: FastifyInstance) => void {
  const ofUser = createConcurrencyLimit({ max: Infinity, maxPerKey: BUDGETS.readsOfUser.max });
  const ofAddress = createConcurrencyLimit({ max: Infinity, maxPerKey: BUDGETS.readsOfAddress.max });

  /** A user's reads wait for each other first, so that one user can't use up the turns of the address. */
  function turnOf({ user, clientAddress }: FastifyRequest): Turn {
    const network = countedNetworks(clientAddress)[0]?.key ?? clientAddress;
    return (work) => ofUser(user.id, () => ofAddress(network, work));
  }

  return (scope) => {
    const answers = new WeakMap<FastifyRequest, () => void>();
    scope.addHook('preHandler', (request, reply, done) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return done();
      const turn = turnOf(request);
      turns.set(request, turn);
      turn(async () => {
        // Nobody waits for this reply any more.
        if (reply.raw.destroyed) return;
        const answered = Promise.withResolvers<void>();
        answers.set(request, answered.resolve);
        finished(reply.raw, () => answered.resolve());
        done();
        await answered.promise;
      }).catch(done);
    });
    // From now on the reader decides how long the reply takes.
    scope.addHook('onSend', (request, _reply, _payload, done) => {
      answers.get(request)?.();
      done();
    });
  };
}
