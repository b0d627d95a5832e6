// A lobby's events over the WebSocket: read this file first when you write a client in another language. Its
// invariant: whatever happens to networks and replicas, `onEvent` gets every event once and in order, and
// sometimes a snapshot, which repeats the present state; or `onEnd` gets the reason why no more will come.
//
// - A client enters with `lobby:join`. It remembers `seq` and `mark` of the last event and sends them as
//   `since` and `mark` when it reconnects. Any replica then sends exactly what came after; where the service
//   has lost that event, it sends a snapshot.
// - `game:ready` follows each join. It is always answered, whereas a `lobby:join` with `since` may have
//   nothing to answer, so that the client knows that it is in, and how much time remains.
// - A broken connection may not be reported. A client that gets nothing for a while sends `game:ready` again.
//   [contract 5.9, 16]
import { createReconnectingSocket, type LiveSocket, type LiveStatus } from './reconnecting-socket.ts';
import type { ClientMessage, ErrorMessage, ServerMessage } from './types.ts';

export type { LiveSocket, LiveStatus } from './reconnecting-socket.ts';

export interface LiveOptions {
  /** The lobby's code; the user must be a member already, through HTTP. */
  code: string;
  /** The last event that is known, from before a reload for example. */
  last?: EventPosition | undefined;
  /** Opens a new socket to `/ws`. */
  openSocket(): LiveSocket;
  /** Asks over HTTP whether there is a session, since a browser doesn't report why an upgrade was refused. */
  isSignedIn(): Promise<boolean>;
  onEvent(event: LobbyMessage): void;
  /** `live` comes after every connect: then the caller sends again what may have been lost. */
  onStatus(status: LiveStatus): void;
  /** The service has refused a message; the connection goes on. */
  onRefusal(error: ErrorMessage): void;
  /** The message with this `ref` has taken effect. */
  onAck(ref: string): void;
  /** The connection has ended for good: the lobby has refused the user by `error`, or there is no session. */
  onEnd(reason: ErrorMessage['reason'], error?: ErrorMessage): void;
}

export interface Live {
  /**
   * @param isProbe whether the service always replies to the message: without a reply the client reconnects
   * @returns whether the message was sent; an unsent message is dropped
   */
  send(message: ClientMessage, isProbe?: boolean): boolean;
  /** The network or the screen is back: reconnects without a delay, or probes the socket. */
  wake(): void;
  /** @returns the last event, from which a later client resumes */
  last(): EventPosition | undefined;
  /** Ends the connection; `onEnd` is not called. */
  stop(): void;
}

const JOIN_REF = 'live:join';
const READY_REF = 'live:ready';

/** Connects at once, and stays connected until `stop` or `onEnd`. */
export function connectLive({ code, ...options }: LiveOptions): Live {
  const seen = createSeenEvents(options.last);
  const socket = createReconnectingSocket({
    openSocket: options.openSocket,
    isSignedIn: options.isSignedIn,
    onOpen() {
      seen.expectSnapshot();
      const last = seen.last();
      const resume = last ? { since: last.seq, mark: last.mark } : {};
      transmit({ type: 'lobby:join', code, ref: JOIN_REF, ...resume });
      askForScreen();
    },
    onMessage: (text) => receive(JSON.parse(text) as ServerMessage),
    onSilence: askForScreen,
    onSignedOut: () => options.onEnd('UNAUTHENTICATED'),
    onStatus: options.onStatus,
  });

  function receive(message: ServerMessage): void {
    if (message.type === 'error') {
      receiveError(message);
    } else if (message.type === 'ack') {
      socket.noteAnswer();
      options.onAck(message.ref);
    } else {
      socket.confirm();
      if (seen.accept(message)) options.onEvent(message);
    }
  }

  function receiveError(error: ErrorMessage): void {
    const { ref, reason } = error;
    socket.noteAnswer();
    if (ref === JOIN_REF) {
      if (isPassing(error)) socket.reconnect();
      else end(error);
    } else if (ref === READY_REF) {
      // The user has left the lobby from another window; this socket gets no message of that.
      if (reason === 'NOT_IN_LOBBY') end(error);
    } else {
      options.onRefusal(error);
    }
  }

  function end(error: ErrorMessage): void {
    socket.stop();
    options.onEnd(error.reason, error);
  }

  function askForScreen(): void {
    transmit({ type: 'game:ready', ref: READY_REF });
  }

  function transmit(message: ClientMessage): void {
    socket.send(JSON.stringify(message));
  }

  return {
    send(message, isProbe = false) {
      const isLive = socket.status === 'live';
      if (isLive) transmit(message);
      if (isProbe) socket.expectAnswer();
      return isLive;
    },
    wake: socket.wake,
    last: seen.last,
    stop: socket.stop,
  };
}

/** @returns whether the same message may be accepted later */
export function isPassing({ code }: ErrorMessage): boolean {
  return code >= 500 || code === 429;
}

/** The messages about a lobby: its numbered events, and messages to one socket alone. */
export type LobbyMessage = Exclude<ServerMessage, { type: 'ack' | 'error' }>;

/** The number and the mark of an event, from which a client resumes. */
export interface EventPosition {
  seq: number;
  mark: string;
}

export interface SeenEvents {
  /** @returns whether the program has to be given the message */
  accept(message: LobbyMessage): boolean;
  /** A new socket is connected, whose first message may be a snapshot. */
  expectSnapshot(): void;
  /** @returns the last event, from which a later client resumes */
  last(): EventPosition | undefined;
}

/** @param known the last event that the program has seen already */
export function createSeenEvents(known?: EventPosition): SeenEvents {
  let last = known;
  /** The marks of the events that were seen here, by number. */
  const marks = new Map<number, string>();
  let isSnapshotExpected = false;

  function count({ seq, mark }: EventPosition): true {
    last = { seq, mark };
    marks.set(seq, mark);
    return true;
  }

  if (known) count(known);
  return {
    accept(message) {
      // A message without a number is to this socket alone.
      if (!('seq' in message)) return true;
      const { seq, mark, type } = message;
      const isFirst = isSnapshotExpected;
      isSnapshotExpected = false;
      // The very next event.
      if (last && seq === last.seq + 1) return count({ seq, mark });
      // The state of a snapshot, from which the numbers count on. A snapshot of any other moment may run
      // ahead of events that are still to come.
      const isAhead = last !== undefined && seq > last.seq + 1;
      const isSnapshot = type === 'lobby:state' && (isFirst || isAhead);
      // Redis has lost events that this client has seen, and has given their numbers to others.
      const isOtherHistory = last && seq <= last.seq && mark !== marks.get(seq);
      if (!last || isSnapshot || isOtherHistory) {
        marks.clear();
        return count({ seq, mark });
      }
      // A snapshot of this moment repeats the last event; an older or a newer one is of no use.
      return seq === last.seq;
    },
    expectSnapshot() {
      isSnapshotExpected = true;
    },
    last: () => last,
  };
}
