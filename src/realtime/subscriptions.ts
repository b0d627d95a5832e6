// The subscriptions of a room: which sockets of this replica get the events of a lobby, how far each has got, and when
// one ends because its user is no longer a member. [contract 5.9, 10, 11, 19]
import { type LiveState, readRoster } from '../lobby/event-log.ts';
import { type Cursor, type LogEntry, ORIGIN, type Position } from '../lobby/history.ts';
import type { Roster } from '../lobby/schema.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import { inBatches } from '../platform/overload/batches.ts';
import type { Services } from '../services.ts';

/** The part of a connection that a room needs: a room does not know sockets from streams. [contract 24] */
export interface Listener {
  readonly id: string;
  readonly userId: string;
  /** The name under which a compact lobby shows the user to the user. */
  readonly userName: string;
  /**
   * @param text a message; a buffer may be shared by many sockets
   * @param id from which a stream is resumed after this message; undefined where it can't be [contract 24]
   */
  send(text: string | Buffer, id?: string): void;
  /**
   * Sends messages, one at least, that don't count towards the limit of what may wait for a peer, who is disconnected
   * without taking them in time.
   */
  sendChunk(messages: Buffer[], ids?: (string | undefined)[]): void;
  /** Whether the peer has taken the last chunk. */
  readonly taken: Promise<boolean>;
  /** Its subscription has ended because the user has left the lobby, or the lobby was closed. */
  onRemoved?(): void;
}

export type Subscription = ReturnType<typeof createSubscription>;

/** @param cursor the last event that the client has */
export function createSubscription(listener: Listener, cursor: Cursor = ORIGIN) {
  return {
    listener,
    /** It is replaced, never changed: a reader that finds the same object after waiting knows that nothing was sent. */
    cursor,
    /** Whether events are sent as they are published. */
    isLive: false,
    /** Resolves when the subscription is live or has ended; null while nothing reads the log for it. */
    catchingUp: null as Promise<void> | null,
    /**
     * The number of an event at which the user was known to be a member. An older `lobby:state` without the user is of
     * an earlier time; a newer one ends the subscription.
     */
    memberSinceSeq: Number.POSITIVE_INFINITY,
    /** Whether the last `lobby:state` that was replayed names the user as a member. */
    isListed: true,
    /** Of a presenting host: the progress that the socket was sent last; null where it was sent none of this round. */
    progress: null as string | null,
  };
}

/** A progress that no round has: the socket gets the present one in any case. */
const OUTDATED = '';

export type RoomState = ReturnType<typeof createRoomState>;

type StateServices = Pick<Services, 'redis' | 'logger'>;

/** A subscription has ended because its user has left the lobby, or the lobby was closed. */
export type OnRemoved = (lobbyId: string, listener: Listener) => void;

export function createRoomState({ redis, logger }: StateServices, lobbyId: string, onRemoved: OnRemoved) {
  /** The subscriptions by the ids of their sockets. */
  const subscriptions = new Map<string, Subscription>();
  let notedSeq = 0;
  let lobby: Roster | null = null;
  let openRound: { gameId: string; round: number } | null = null;

  const isPresenting = ({ userId }: Listener) => lobby?.settings.hostPlays === false && lobby.hostId === userId;

  /** An event was delivered, or a snapshot has shown it. */
  function noteShown({ type, gameId, round }: LogEntry): void {
    if (!type.startsWith('game:') && type !== 'lobby:closed') return;
    openRound = type === 'game:question' ? ({ gameId, round } as typeof openRound) : null;
    for (const subscription of subscriptions.values()) subscription.progress = null;
  }

  let checkedVersion = -1;
  /**
   * Ends the subscriptions of users who have left a compact lobby, by its roster, since its events don't name its members.
   * A reading begins after it was requested, so that it has the change that the event announces. [contract 10, 19]
   */
  const checkMembers = inBatches(async (_: typeof subscriptions, versions: number[]) => {
    const found = await readRoster(redis, lobbyId);
    checkedVersion = found?.version ?? checkedVersion;
    const isEnded = found && endForNonMembers(found.roster);
    for (const subscription of subscriptions.values()) if (isEnded?.(subscription.listener)) state.remove(subscription);
    return versions.map(() => undefined);
  }, String);

  const state = {
    lobbyId,
    subscriptions,
    /** The last event that was delivered to the live subscriptions; null until the first socket subscribes. */
    head: null as Position | null,
    headSeq: (): number => state.head?.seq ?? 0,
    live: () => [...subscriptions.values()].filter(({ isLive }) => isLive),
    isOpen: (subscription: Subscription) => subscriptions.get(subscription.listener.id) === subscription,
    /** Ends a subscription because its user has left the lobby, or the lobby was closed. */
    remove({ listener }: Subscription): void {
      subscriptions.delete(listener.id);
      onRemoved(lobbyId, listener);
    },
    /**
     * Ends the subscriptions of users who are no longer members according to this event. A user who leaves gets no
     * message, and all sockets of the user leave. [contract 10]
     */
    removeDeparted(entry: LogEntry): void {
      const { type, seq, leaverId } = entry;
      const isEnded = type === 'lobby:state' ? endForNonMembers(entry.lobby as Roster, membersOf(entry)) : null;
      for (const subscription of subscriptions.values()) {
        const { listener, memberSinceSeq } = subscription;
        const hasLeft = type === 'lobby:closed' && listener.userId === leaverId;
        if (hasLeft || (seq > memberSinceSeq && isEnded?.(listener))) state.remove(subscription);
      }
    },
    /** Notes an event that was delivered or replayed, unless it is older than a noted one. */
    note(entry: LogEntry): void {
      if (entry.seq <= notedSeq) return;
      notedSeq = entry.seq;
      noteShown(entry);
      if (entry.type !== 'lobby:state') return;
      lobby = entry.lobby as Roster;
      const version = entry.version as number;
      if (namesMembers(entry) || version <= checkedVersion) return;
      checkMembers(subscriptions, version).catch((error: unknown) =>
        logFailure(logger, 'warn', error, 'members not checked yet', { lobbyId }),
      );
    },
    /** The events after this state are delivered from now on. */
    startAt({ seq, mark, roster, snapshot }: LiveState): void {
      state.head = { seq, mark };
      notedSeq = seq;
      lobby = roster ?? lobby;
      openRound = null;
      if (snapshot) noteShown(snapshot);
    },
    /** @returns the open round, if a host presents it here, or if it waits for present players alone */
    presentedRound() {
      if (!openRound || !lobby) return null;
      const { hostPlays, waitFor } = lobby.settings;
      if (hostPlays && waitFor === 'all') return null;
      const presenting = state.live().filter(({ listener }) => isPresenting(listener));
      return presenting.length > 0 || waitFor === 'present' ? { ...openRound, presenting } : null;
    },
    /** Makes the socket get the progress again, if it presents. */
    requestProgress(listener: Listener): void {
      const subscription = subscriptions.get(listener.id);
      if (subscription && isPresenting(listener)) subscription.progress = OUTDATED;
    },
  };
  return state;
}

/** @returns whether a `lobby:state` names all members; that of a compact lobby has numbers instead. [contract 19] */
export function namesMembers({ playerCount }: LogEntry): boolean {
  return playerCount === undefined;
}

function membersAmong(players: Roster['players']): (userId: string) => boolean {
  const members = new Set(players.map(({ userId }) => userId));
  return (userId) => members.has(userId);
}

/** @returns a function that returns whether a user is a member according to a `lobby:state`, as far as it says */
export function membersOf(state: LogEntry): (userId: string) => boolean {
  const { players, kicked } = state.lobby as Roster;
  return namesMembers(state) ? membersAmong(players) : (userId) => !kicked?.includes(userId);
}

/**
 * @param isMember by default, only the listed players are members
 * @returns a function that returns whether a socket's subscription ends because its user is no member. It sends
 *   `lobby:kicked` to a user whom the host has removed; the connection stays open
 */
export function endForNonMembers({ players, kicked, code }: Roster, isMember = membersAmong(players)) {
  return (listener: Listener): boolean => {
    if (isMember(listener.userId)) return false;
    if (kicked?.includes(listener.userId)) listener.send(JSON.stringify({ type: 'lobby:kicked', code }));
    return true;
  };
}
