// A connection brings a user the events of a lobby: a socket (socket.ts), or a stream (stream.ts). Here is what both have
// in common: they send within a bound on waiting bytes, give each chunk of a replay its time, and end with the session. A
// peer that exceeds a bound is disconnected without effect on others. [contract 5, 17, 24]
import type { Duplex } from 'node:stream';
import type { SessionUser } from '../auth/sessions/user-sessions.ts';
import { BUDGETS } from '../budgets.ts';
import type { Logger } from '../platform/observability/logger.ts';
import { randomText } from '../random-text.ts';
import type { Sender } from './enter-lobby.ts';
import type { Dispatch } from './messages.ts';
import { realtimeMetrics } from './metrics.ts';

/** How many bytes of a replay are sent at once; a larger message is sent alone. [contract 19] */
export const CHUNK_BYTES = BUDGETS.replayChunk.max;

export const CLOSE_CODES = { policy: 1008, restart: 1012, signedOut: 4401 } as const;

/** How long a peer may take to read the last bytes, ms; beyond it the connection is terminated. [contract 17] */
export const CLOSE_TIMEOUT_MS = 3000;

/** How often the session is checked, ms: signing out closes a connection within a minute. [contract 6] */
const SESSION_CHECK_MS = 40_000;

/** The pause after a check that failed because the session store is away, ms. */
const SESSION_RETRY_MS = 5000;

const TAKEN = Promise.resolve(true);

export interface ConnectionEvents {
  dispatch: Dispatch;
  logger: Logger;
  /** How long a peer may take to read a chunk of a replay, ms; beyond it the peer is disconnected. */
  chunkTimeoutMs: number;
  /** @returns whether the session is still valid @throws where the store can't be read */
  isSignedIn(connection: Connection): Promise<boolean>;
  /** The connection is closed, and its last message is handled. It must not throw. */
  onClose(connection: Connection): Promise<void>;
}

export interface Peer {
  user: SessionUser;
  cookie: string | undefined;
  /** The client's address, as the rate limiters see it. */
  address: string;
  stream: Duplex;
}

/** This is a class because closures would be most of the memory of an idle connection. */
export abstract class Connection implements Sender {
  readonly id = randomText(9);
  readonly user: SessionUser;
  readonly cookie: string | undefined;
  readonly address: string;
  isGone = false;
  /** Whether the connection is ending: nothing more is sent, and what the peer sends is ignored. */
  isClosing = false;
  /** Whether the user counts as connected for some seconds after the end, since the client is asked to come back. */
  isResumed = false;
  nameInLobby: string | undefined;
  taken = TAKEN;
  protected readonly stream: Duplex;
  protected readonly events: ConnectionEvents;
  /** The bytes of replayed messages that the peer has not yet taken. */
  #replayedBytes = 0;
  /** The first check comes at random, so that the connections of a new replica don't check all at once. */
  #nextCheckMs = performance.now() + SESSION_CHECK_MS * (0.5 + Math.random() / 2);
  #closed: PromiseWithResolvers<void> | null = null;

  constructor({ user, cookie, address, stream }: Peer, events: ConnectionEvents) {
    this.user = user;
    this.cookie = cookie;
    this.address = address;
    this.stream = stream;
    this.events = events;
  }

  protected abstract readonly isOpen: boolean;
  protected abstract readonly bufferedBytes: number;
  /** @param written is called when the message has left this process, or can't any more */
  protected abstract write(text: string | Buffer, id?: string, written?: (error?: Error | null) => void): void;
  /** Disconnects without a word to the peer. */
  protected abstract disconnect(): void;
  /** Tells the peer the reason, and ends the connection in bounded time. */
  abstract close(code: number, reason: string): void;
  protected abstract keepAlive(nowMs: number): void;

  get userId(): string {
    return this.user.id;
  }

  get userName(): string {
    return this.nameInLobby ?? this.user.name;
  }

  send(text: string | Buffer, id?: string): void {
    if (this.isOpen && this.hasRoomFor(text)) this.write(text, id);
  }

  sendChunk(messages: Buffer[], ids: (string | undefined)[] = []): void {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.taken = promise;
    if (!this.isOpen) return void resolve(false);
    const bytes = messages.reduce((sum, { length }) => sum + length, 0);
    // A message may be longer than a chunk, since it is never divided. What waits before it is counted too.
    const chunks = Math.ceil((this.bufferedBytes + bytes) / CHUNK_BYTES);
    const timer = setTimeout(() => this.terminate('slow_reader'), chunks * this.events.chunkTimeoutMs);
    this.#replayedBytes += bytes;
    const written = (error?: Error | null) => {
      clearTimeout(timer);
      this.#replayedBytes -= bytes;
      resolve(!error);
    };
    for (const [index, message] of messages.entries())
      this.write(message, ids[index], index === messages.length - 1 ? written : undefined);
  }

  /** Whether the peer has not taken a chunk yet, which has a time limit of its own. */
  protected get isReplaying(): boolean {
    return this.#replayedBytes > 0;
  }

  /** Disconnects the peer where too many bytes wait. @returns whether `data` may be sent */
  protected hasRoomFor(data: string | Buffer): boolean {
    const waitingBytes = this.bufferedBytes - this.#replayedBytes;
    if (waitingBytes <= 0 || waitingBytes + Buffer.byteLength(data) <= BUDGETS.unreadBytes.max) return true;
    this.terminate('slow_reader');
    return false;
  }

  terminate(reason: 'failed' | 'silent' | 'slow_reader'): void {
    realtimeMetrics.closures.inc({ reason });
    this.disconnect();
  }

  /** Does what is due. The gateway calls it every second. @param nowMs by the monotonic clock, `performance.now()` */
  beat(nowMs: number): void {
    if (this.isClosing) return;
    this.keepAlive(nowMs);
    if (nowMs >= this.#nextCheckMs) this.#checkSession(nowMs);
  }

  #checkSession(nowMs: number): void {
    this.#nextCheckMs = nowMs + SESSION_CHECK_MS;
    this.events.isSignedIn(this).then(
      (isSignedIn) => {
        if (isSignedIn || this.isClosing) return;
        realtimeMetrics.closures.inc({ reason: 'signed_out' });
        this.close(CLOSE_CODES.signedOut, 'signed out');
      },
      () => {
        this.#nextCheckMs = nowMs + SESSION_RETRY_MS;
      },
    );
  }

  /** Resolves when the connection is closed and `onClose` is done. It must be called before that. */
  whenClosed(): Promise<void> {
    this.#closed ??= Promise.withResolvers<void>();
    return this.#closed.promise;
  }

  /** @param handled resolves when the last message is handled, which a client may send and disconnect */
  protected noteClosed(handled: Promise<void>): Promise<void> {
    this.isGone = true;
    return handled.then(() => this.events.onClose(this)).finally(() => this.#closed?.resolve());
  }
}
