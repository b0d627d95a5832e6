// One socket's subscription to the events of a lobby. Its cursor says which event the client has last. A live
// subscription gets each event as it is published. Any other one catches up: it reads the lobby's log in chunks
// until it has reached the last event that was delivered to the live ones. [contract 5.9, 19]
import { type Cursor, ORIGIN } from '../lobby/history.ts';

/** The part of a connection that a room needs. */
export interface Listener {
  readonly id: string;
  readonly userId: string;
  /** The name under which a compact lobby shows the user to the user. */
  readonly userName: string;
  /** @param text a message; a buffer may be shared by many sockets */
  send(text: string | Buffer): void;
  /**
   * Sends messages that don't count towards the limit of what may wait for a peer. A peer that doesn't take
   * them in time is disconnected.
   * @param messages buffers that other sockets may share
   * @returns whether the peer has taken them
   */
  sendChunk(messages: Buffer[]): Promise<boolean>;
  /** The promise that `sendChunk` has returned last. */
  readonly taken: Promise<boolean>;
}

export interface Subscription {
  readonly listener: Listener;
  /**
   * The last event that the client has. It is replaced, never changed: a reader that finds the same object
   * after waiting knows that nothing was sent meanwhile.
   */
  cursor: Cursor;
  /** Whether events are sent as they are published. */
  isLive: boolean;
  /** Resolves when the subscription is live or has ended; null while nothing reads the log for it. */
  catchingUp: Promise<void> | null;
  /**
   * The number of an event at which the user was known to be a member; Infinity until that is known. An older
   * `lobby:state` without the user is of an earlier time; a newer one ends the subscription.
   */
  memberSinceSeq: number;
  /** Whether the last `lobby:state` that was replayed names the user as a member. */
  isListed: boolean;
}

/** @param cursor the last event that the client has */
export function createSubscription(listener: Listener, cursor: Cursor = ORIGIN): Subscription {
  return {
    listener,
    cursor,
    isLive: false,
    catchingUp: null,
    memberSinceSeq: Number.POSITIVE_INFINITY,
    isListed: true,
  };
}
