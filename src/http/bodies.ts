// Bounds the bodies that arrive: a slow one is refused with 408, and of larger ones a replica holds a limited number of
// bytes, which count from their arrival until no work uses them. [contract 1, 17]
import { finished, Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BUDGETS } from '../budgets.ts';
import { AppError } from '../errors.ts';
import { type Held, holdBytes } from '../platform/overload/held-bytes.ts';

/** Within these times a small body must have arrived, or the next bytes of a large one. */
const TIMES = { smallMs: BUDGETS.smallBody.max * 1000, windowMs: 5000 };
export type BodyTimes = typeof TIMES;

/** Bodies up to this size are not counted, so that there is always room for them. */
const SMALL_BYTES = BUDGETS.body.max;
/** The bodies that arrive, with the number of their uses: the request, and each `holdWhile`. */
const heldBodies = new WeakMap<FastifyRequest, { bytes: Held; uses: number }>();

export function registerBodies(app: FastifyInstance, times = TIMES): void {
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw, user, method } = request;
    if (raw.complete || method === 'GET' || method === 'HEAD') return done();
    const bytes = holdBytes([
      ...(user ? [{ budget: 'bodiesOfUser', key: user.id } as const] : []),
      { budget: 'bodiesOfReplica', key: '' },
    ]);
    heldBodies.set(request, { bytes, uses: 1 });
    // The client may have disconnected before this hook; `finished` calls back in that case too, unlike an event.
    finished(reply.raw, () => release(request));
    done(null, arriving(request, bytes, times));
  });
}

function release(request: FastifyRequest): void {
  const body = heldBodies.get(request);
  if (body && --body.uses === 0) body.bytes.free();
}

/** Counts the body of a request until `work` is done, also when the client has disconnected. */
export async function holdWhile<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const body = heldBodies.get(request);
  if (body) body.uses++;
  try {
    return await work();
  } finally {
    release(request);
  }
}

/** @returns the bytes of the body; it fails with the refusal of one that is too slow, or has no room */
function arriving({ raw }: FastifyRequest, bytes: Held, { smallMs, windowMs }: BodyTimes): Transform {
  const windowBytes = (BUDGETS.bodyRate.max * windowMs) / 1000;
  let isLarge = Number(raw.headers['content-length'] ?? 0) > SMALL_BYTES;
  let [arrived, before] = [0, 0];
  let timer: NodeJS.Timeout | undefined;

  function startTimer(): void {
    stopTimer();
    before = arrived;
    // Bytes that arrived while the event loop was blocked are read after the timers.
    timer = setTimeout(() => setImmediate(check), isLarge ? windowMs : smallMs);
  }
  function stopTimer(): void {
    clearTimeout(timer);
    timer = undefined;
  }
  function check(): void {
    if (!timer) return;
    if (isLarge && arrived - before >= windowBytes) startTimer();
    else body.destroy(new AppError('REQUEST_TIMEOUT'));
  }

  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      arrived += chunk.length;
      try {
        if (arrived > SMALL_BYTES) bytes.add(arrived - chunk.length > SMALL_BYTES ? chunk.length : arrived);
      } catch (error) {
        return done(error as AppError);
      }
      const wasLarge = isLarge;
      isLarge ||= arrived > SMALL_BYTES;
      if (!timer || isLarge !== wasLarge) startTimer();
      done(null, chunk);
    },
    flush(done) {
      stopTimer();
      done();
    },
    destroy(error, done) {
      stopTimer();
      done(error);
    },
  });
  raw.once('error', (error) => body.destroy(error));
  // Nobody may listen, as for an unknown path.
  body.on('error', () => {});
  return raw.pipe(body);
}
