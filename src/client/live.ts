// Keeps a lobby's connection: read this file first when you write a client in another language. Its invariant: whatever
// happens to networks and replicas, `onMessage` gets every event once and in order, and sometimes a snapshot, which repeats
// the present state; or `onEnd` gets the reason why no more will come.
//
// - A client enters with `lobby:join`. It sends `seq` and `mark` of the last event as `since` and `mark` when it
//   reconnects. Any replica then sends exactly what came after, or a snapshot where the service has lost that event.
// - `game:ready` follows each join, so that the client knows how much time remains.
// - A message with a `ref` is answered by an `ack` or an `error`. What was not answered is sent again.
// - A broken connection may not be reported. A client that gets nothing for a while sends `game:ready` again.
// - It reconnects with backoff, and by a stream where no WebSocket gets through. [contract 5.9, 16, 23, 24]
import type { ClientMessage, ErrorMessage, ServerMessage } from './types.ts';

/** The messages about a lobby: its numbered events, and messages to one socket alone. */
export type LobbyMessage = Exclude<ServerMessage, { type: 'ack' | 'error' }>;

/** The number and the mark of an event, from which a client resumes. */
export interface EventPosition {
  seq: number;
  mark: string;
}

/** The part of a WebSocket that is used; a browser's fits as it is. */
export interface LiveSocket {
  onopen: (() => void) | null;
  /** Of a stream, `isAside` says that the message came beside the stream, so that its place in the order is not known. */
  onmessage: ((message: { data: string; isAside?: boolean }) => void) | null;
  /** Of a stream, `refusal` says why the service has refused it. */
  onclose: ((close: { code: number; refusal?: ErrorMessage | undefined }) => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(): void;
  /** Only the `ws` of Node.js has it: ends the connection without the closing handshake. */
  terminate?(): void;
  /** Only a stream has it: how long it may be silent, ms; beyond it the stream is broken. */
  silenceMs?: number;
}

export type LiveStatus = 'connecting' | 'live' | 'reconnecting' | 'ended';

/** What carries the messages of a lobby. */
export type Transport = 'websocket' | 'sse';

export interface LiveOptions {
  /** The lobby's code; the user must be a member already, through HTTP. */
  code: string;
  /** `auto`: a WebSocket, and a stream after two of them have failed. */
  transport: Transport | 'auto';
  openSocket(): LiveSocket;
  /** Opens a stream that begins after this event. It also tells why a WebSocket was refused, as no browser does. */
  openStream(last: EventPosition | undefined): LiveSocket;
  /** The last event that is known, from before a reload for example. */
  last?: EventPosition | undefined;
  /** An event, an answer, or a refusal for a while. @param last the last event, the one that has come included */
  onMessage(message: ServerMessage, last: EventPosition | undefined): void;
  /** `live` comes after every connect: then the caller sends again what may have been lost. */
  onStatus(status: LiveStatus): void;
  /** The connection has ended for good, since the lobby has refused the user, or there is no session. */
  onEnd(error: ErrorMessage): void;
}

const JOIN_REF = 'live:join';
const READY_REF = 'live:ready';
/** The delay before a reconnection doubles with each attempt, from the first to the last of these, ms. */
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** How long a new connection may take until its first message, ms; beyond it the attempt has failed. */
const CONFIRM_TIMEOUT_MS = 10_000;
/** So many WebSockets have to fail while HTTP answers, before a stream is used. */
const MAX_FAILURES = 2;
/** The limit of a WebSocket that is tried after so many have failed, ms, since the game waits meanwhile. */
const TRIAL_TIMEOUT_MS = 2000;
// The client probes a socket that is silent for so long after the game's next event was due, or for the second at most,
// ms. A large room would notice probes in the middle of a round.
const SILENCE_MS = 15_000;
const MAX_SILENCE_MS = 25_000;
/** How long the service may take to answer what was sent, ms; beyond it the client reconnects. */
const ANSWER_TIMEOUT_MS = 5000;
/** How long the closing handshake of an abandoned socket may take, ms; beyond it the socket is terminated. */
const CLOSE_TIMEOUT_MS = 1000;
/** [contract 6: a session that is over closes its sockets with 4401] */
const CLOSE_SIGNED_OUT = 4401;

const SIGNED_OUT: ErrorMessage = { type: 'error', code: 401, reason: 'UNAUTHENTICATED', message: 'Signed out.' };

/** Connects at once, and stays connected until `stop` or `onEnd`. */
export function connectLive(options: LiveOptions) {
  const seen = createSeenEvents(options.last);
  let socket: LiveSocket | null = null;
  const preferred: Transport = options.transport === 'sse' ? 'sse' : 'websocket';
  let kind = preferred;
  let proven = preferred;
  let status: LiveStatus = 'connecting';
  /** How many attempts have failed since the last message of the service. */
  let attempt = 0;
  /** How many WebSockets in a row have failed while HTTP answered. */
  let failures = 0;
  /** The one timer of the present state. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the stream only finds out why a WebSocket has failed. */
  let isCheck = false;
  /** Whether the connection is given up unless the service answers. */
  let isProbed = false;

  /** @param next what carries the messages. @param isNextCheck the next value of `isCheck` */
  function connect(next = preferred, isNextCheck = false): void {
    const opened = next === 'sse' ? options.openStream(seen.last()) : options.openSocket();
    socket = opened;
    kind = next;
    isCheck = isNextCheck;
    isProbed = false;
    wait(kind === 'websocket' && failures >= MAX_FAILURES ? TRIAL_TIMEOUT_MS : CONFIRM_TIMEOUT_MS, fail);
    opened.onopen = () => {
      if (isCheck && (++failures < MAX_FAILURES || options.transport === 'websocket')) return reconnect();
      isCheck = false;
      seen.expectSnapshot();
      const { seq: since, mark } = seen.last() ?? {};
      transmit({ type: 'lobby:join', code: options.code, ref: JOIN_REF, since, mark });
      askForScreen();
    };
    opened.onmessage = ({ data, isAside }) => {
      noteLife();
      if (data) receive(JSON.parse(data) as ServerMessage, isAside);
    };
    // No close follows the error of a failed attempt in Node.js 22. [nodejs/undici#3546]
    opened.onerror = fail;
    opened.onclose = ({ code, refusal = code === CLOSE_SIGNED_OUT ? SIGNED_OUT : undefined }) => {
      if (refusal) refuse(refusal);
      else fail();
    };
  }

  function receive(message: ServerMessage, isAside: boolean | undefined): void {
    if (message.type === 'error') {
      const { ref } = message;
      if (ref === JOIN_REF || (ref === READY_REF && !isPassing(message))) refuse(message);
      else if (ref !== READY_REF) options.onMessage(message, seen.last());
      return;
    }
    attempt = 0;
    proven = kind;
    if (kind === 'websocket') failures = 0;
    setStatus('live');
    const { remainingMs, nextInMs = remainingMs } = message as { remainingMs?: number; nextInMs?: number };
    noteLife(nextInMs);
    if (message.type === 'ack' || seen.accept(message, isAside)) options.onMessage(message, seen.last());
  }

  /** The service has refused the connection, or says that the user has left the lobby from another window. */
  function refuse(error: ErrorMessage): void {
    if (isPassing(error)) {
      if (error.code === 429) options.onMessage(error, seen.last());
      reconnect(error.retryAfterMs);
    } else {
      stop();
      options.onEnd(error);
    }
  }

  /** The connection has failed. A WebSocket that has brought no message may have been refused. */
  function fail(): void {
    if (status === 'live' || kind === 'sse') reconnect();
    else {
      abandon();
      setStatus('reconnecting');
      connect('sse', true);
    }
  }

  function reconnect(minMs = 0): void {
    abandon();
    setStatus('reconnecting');
    const delayMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt++);
    // The jitter keeps the clients of a replica that stops from reconnecting all at once.
    wait(Math.max(minMs, delayMs * (0.5 + Math.random() / 2)), () => connect());
  }

  const askForScreen = () => transmit({ type: 'game:ready', ref: READY_REF });

  function transmit(message: ClientMessage): void {
    socket?.send(JSON.stringify(message));
    // A later message does not give a silent connection more time.
    if (status !== 'live' || isProbed) return;
    isProbed = true;
    wait(ANSWER_TIMEOUT_MS, reconnect);
  }

  /** @param dueInMs when the next event comes at the latest, where the message says it */
  function noteLife(dueInMs = 0): void {
    if (status !== 'live') return;
    isProbed = false;
    if (socket?.silenceMs) wait(socket.silenceMs, reconnect);
    else wait(Math.min(dueInMs + SILENCE_MS, MAX_SILENCE_MS), askForScreen);
  }

  function stop(): void {
    clearTimeout(timer);
    setStatus('ended');
    abandon();
  }

  /** Stops listening to the socket at once: a dead one would report its end only much later. */
  function abandon(): void {
    const abandoned = socket;
    if (!abandoned) return;
    socket = null;
    abandoned.onopen = abandoned.onmessage = abandoned.onclose = null;
    // Without a listener, `ws` would throw the error.
    abandoned.onerror = () => {};
    abandoned.close();
    if (!abandoned.terminate) return;
    const closing = setTimeout(() => abandoned.terminate?.(), CLOSE_TIMEOUT_MS) as { unref?(): void };
    // Node.js can exit meanwhile.
    closing.unref?.();
  }

  function wait(delayMs: number, then: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(then, delayMs);
  }

  function setStatus(next: LiveStatus): void {
    if (status === next || status === 'ended') return;
    status = next;
    options.onStatus(next);
  }

  connect();
  return {
    get status() {
      return status;
    },
    /** What carries the messages, or did so last. */
    get transport() {
      return proven;
    },
    /** @returns whether the message, whose `ref` the service answers, was sent; an unsent message is dropped */
    send(message: ClientMessage): boolean {
      const isLive = status === 'live';
      if (isLive) transmit(message);
      return isLive;
    },
    wake() {
      if (status === 'live') askForScreen();
      else if (status !== 'ended' && (!socket || isCheck)) {
        abandon();
        attempt = 0;
        connect();
      }
    },
    stop,
  };
}

/** @returns whether the same message may be accepted later; a proxy's refusal is none of the service's */
export function isPassing({ code, reason }: Pick<ErrorMessage, 'code'> & { reason: string }): boolean {
  return code < 400 || code >= 500 || code === 429 || code === 408 || reason === 'UNKNOWN';
}

/** How many marks of the newest events are stored. An older event is not sent again: a snapshot is only a few late. */
const KEPT_MARKS = 100;

/** Gives each event once and in order, by number and mark. @param known the last event that the program has seen */
function createSeenEvents(known?: EventPosition) {
  let last = known;
  /** The marks of the events that were seen here, by number. */
  const marks = new Map<number, string>();
  let isSnapshotExpected = false;

  function count({ seq, mark }: EventPosition): true {
    last = { seq, mark };
    marks.set(seq, mark);
    marks.delete(seq - KEPT_MARKS);
    return true;
  }

  if (known) count(known);
  return {
    /** @returns whether the program is given the message. @param isAside whether it may be ahead of the stream */
    accept(message: LobbyMessage, isAside?: boolean): boolean {
      // A message without a number is to this socket alone.
      if (!('seq' in message)) return true;
      const { seq, mark, type } = message;
      if (isAside) return seq === last?.seq && mark === last.mark;
      const isFirst = isSnapshotExpected;
      isSnapshotExpected = false;
      if (last && seq === last.seq + 1) return count(message);
      // The numbers count on from a snapshot's state. That of any other moment may run ahead of events to come.
      const isAhead = last && seq > last.seq + 1;
      const isSnapshot = type === 'lobby:state' && (isFirst || isAhead);
      // Redis has lost events that this client has seen, and has given their numbers to others.
      const isOtherHistory = last && seq <= last.seq && mark !== marks.get(seq);
      if (!last || isSnapshot || isOtherHistory) {
        marks.clear();
        return count(message);
      }
      // A snapshot of this moment repeats the last event; an older or a newer one is of no use.
      return seq === last.seq;
    },
    /** A new socket is connected, whose first message may be a snapshot. */
    expectSnapshot() {
      isSnapshotExpected = true;
    },
    last: () => last,
  };
}
