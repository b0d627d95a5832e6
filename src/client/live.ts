// A lobby's events over the WebSocket: the part to read first when you write a client in another
// language. It knows nothing of any view, and nothing of browsers but what it is given. It keeps one promise:
// whatever happens to networks and replicas, `onEvent` gets every event once and in order, and now
// and then a snapshot, which repeats what holds; or `onEnd` says why there will be no more.
//
// - A client enters with `lobby:join`. It remembers the `seq` and `mark` of the last event and, when
//   it comes back, sends them as `since` and `mark`: the service then sends exactly what came after,
//   from any replica; or, where it has lost that event, a snapshot.
// - `game:ready` is always answered, unlike `lobby:join` with `since`, after which there may be
//   nothing to say. So it follows each join, to know that we are in and how much time remains.
// - A socket can be dead without a sign: what is silent for a while is asked, with `game:ready`.
// [contract 5.9, 16]
import type { ClientMessage, ErrorMessage, ServerMessage } from './types.ts';

/** What a lobby's sockets are told: its numbered events, and what is for this one alone. */
export type LobbyMessage = Exclude<ServerMessage, ErrorMessage>;

/** The last event that was seen; what older releases sent has no mark. */
export interface Since {
  seq: number;
  mark?: string | undefined;
}

/** What is needed of a WebSocket; a browser's fits as it is. */
export interface LiveSocket {
  onopen: (() => void) | null;
  onmessage: ((message: { data: string }) => void) | null;
  onclose: ((close: { code: number }) => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(): void;
  /** Node.js's `ws` has it: ends without waiting for the other side. */
  terminate?(): void;
}

export type LiveStatus = 'connecting' | 'live' | 'reconnecting' | 'ended';

export interface LiveOptions {
  /** The lobby's code; the user must be a member already, through HTTP. */
  code: string;
  /** The last event that is known, as from before a reload. */
  last?: Since | undefined;
  /** Opens a new socket to `/ws`. */
  openSocket(): LiveSocket;
  /** Asks over HTTP, since a refused upgrade has no reason that a browser would tell. */
  isSignedIn(): Promise<boolean>;
  onEvent(event: LobbyMessage): void;
  /** `live` is said after every connect: send again what may have been lost. */
  onStatus(status: LiveStatus): void;
  /** One of the messages sent was refused; the connection goes on. */
  onRefusal(error: ErrorMessage): void;
  /** It is over: the lobby can't be entered, for which there is an error, or nobody is signed in. */
  onEnd(reason: ErrorMessage['reason'], error?: ErrorMessage): void;
}

export interface Live {
  /** @returns whether it could be sent; nothing is kept for later */
  send(message: ClientMessage): boolean;
  /** The network or the screen is back: reconnects at once, or makes sure that the socket lives. */
  wake(): void;
  /** @returns the last event: where a later client goes on */
  last(): Since | undefined;
  /** Ends it without `onEnd`. */
  stop(): void;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** How long a new socket may take until the first event. */
const ENTER_TIMEOUT_MS = 10_000;
/** After so much silence the service is asked … */
const SILENCE_MS = 25_000;
/** … and has so long to answer. */
const ANSWER_TIMEOUT_MS = 5000;

/** How long a socket may take to say goodbye. */
const CLOSE_TIMEOUT_MS = 1000;

/** [contract 6: a session that is over closes its sockets with 4401] */
const CLOSE_SIGNED_OUT = 4401;

const JOIN_REF = 'live:join';
const READY_REF = 'live:ready';

/** Connects, and stays connected until `stop` or `onEnd`. */
export function connectLive(options: LiveOptions): Live {
  let { last } = options;
  /** The marks of this history's events, by their numbers, as far as they were seen here. */
  const marks = new Map<number, string>();
  let socket: LiveSocket | null = null;
  let status: LiveStatus = 'connecting';
  let attempt = 0;
  /** Whatever it is that is waited for; there is never more than one thing. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** What comes next may set the number to count from. */
  let startsAnew = false;
  /** Whether the service has taken the socket, and so knows who we are. */
  let isLetIn = false;

  function connect(): void {
    const opened = options.openSocket();
    socket = opened;
    startsAnew = true;
    isLetIn = false;
    wait(ENTER_TIMEOUT_MS, reconnect);
    // Whatever went wrong, the close that follows says it; nobody listening, `ws` would throw it.
    opened.onerror = () => {};
    opened.onopen = () => {
      isLetIn = true;
      const resume = last ? { since: last.seq, mark: last.mark } : {};
      transmit({ type: 'lobby:join', code: options.code, ref: JOIN_REF, ...resume });
      transmit({ type: 'game:ready', ref: READY_REF });
    };
    opened.onmessage = ({ data }) => receive(JSON.parse(data) as ServerMessage);
    opened.onclose = ({ code }) => {
      if (code === CLOSE_SIGNED_OUT) end('UNAUTHENTICATED');
      else reconnect();
    };
  }

  function receive(message: ServerMessage): void {
    if (message.type === 'error') {
      refused(message);
      return;
    }
    enterLive();
    if (isNews(message)) options.onEvent(message);
  }

  /**
   * Keeps count. Events have no holes, so that a number beyond the next one is a snapshot's that
   * runs ahead: the events in between, and the one that it repeats, are still to come; a lobby's
   * state may also be the beginning of another history. One that was seen already is a snapshot's;
   * where an event has overtaken it, it is old. But with another mark it is a snapshot of
   * another history: the service has lost what it said, and counts from there.
   */
  function isNews(message: LobbyMessage): boolean {
    // What has no number is no event of the lobby, but for this socket alone.
    if (!('seq' in message)) return true;
    const { seq, mark, type } = message;
    const isSnapshot = type === 'lobby:state' && (startsAnew || (last && seq > last.seq + 1));
    startsAnew = false;
    if (last && seq === last.seq + 1) {
      count({ seq, mark });
      return true;
    }
    const isOtherHistory = last && seq <= last.seq && mark && mark !== marks.get(seq);
    if (!last || isSnapshot || isOtherHistory) {
      marks.clear();
      count({ seq, mark });
      return true;
    }
    return seq === last.seq;
  }

  function count(position: Since): void {
    last = position;
    if (position.mark) marks.set(position.seq, position.mark);
  }

  function enterLive(): void {
    attempt = 0;
    wait(SILENCE_MS, probe);
    setStatus('live');
  }

  function refused(error: ErrorMessage): void {
    if (error.ref === JOIN_REF) {
      // In a rolling update: a replica of the release before marks refuses them.
      const isMarkRefused = last?.mark !== undefined && error.code === 400;
      if (isMarkRefused) last = { seq: (last as Since).seq };
      if (isMarkRefused || isPassing(error)) reconnect();
      else end(error.reason, error);
    } else if (error.ref === READY_REF) {
      // Put out of the lobby, which is not announced: the user has left it from another window.
      if (error.reason === 'NOT_IN_LOBBY') end(error.reason, error);
      else if (status === 'live') wait(SILENCE_MS, probe);
    } else {
      options.onRefusal(error);
    }
  }

  /** Is there anybody? An answer of any kind will do. */
  function probe(): void {
    wait(ANSWER_TIMEOUT_MS, reconnect);
    transmit({ type: 'game:ready', ref: READY_REF });
  }

  function reconnect(): void {
    abandon();
    setStatus('reconnecting');
    // Half of it is chance, so that the clients of a replica that ends don't all come at once.
    const delayMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt++);
    wait(delayMs * (0.5 + Math.random() / 2), isLetIn ? connect : checkAndConnect);
  }

  /** A socket that never opened may have been refused for want of a session. */
  function checkAndConnect(): void {
    // Meanwhile it may have been stopped, or woken and so connected.
    const isOvertaken = () => status === 'ended' || socket !== null;
    options.isSignedIn().then(
      (isSignedIn) => {
        if (isOvertaken()) return;
        if (isSignedIn) connect();
        else end('UNAUTHENTICATED');
      },
      // No connection at all, or the service is away.
      () => {
        if (!isOvertaken()) reconnect();
      },
    );
  }

  function wake(): void {
    if (status === 'ended') return;
    if (status === 'live') {
      probe();
    } else if (!socket) {
      attempt = 0;
      connect();
    }
  }

  function end(reason: ErrorMessage['reason'], error?: ErrorMessage): void {
    stop();
    options.onEnd(reason, error);
  }

  function stop(): void {
    clearTimeout(timer);
    setStatus('ended');
    abandon();
  }

  /** Hears no more of a socket: a dead one would take its time to say so itself. */
  function abandon(): void {
    if (!socket) return;
    const abandoned = socket;
    socket = null;
    abandoned.onopen = abandoned.onmessage = abandoned.onclose = null;
    abandoned.close();
    // What a dead one would wait for must not keep the program from ending.
    if (abandoned.terminate) unref(setTimeout(() => abandoned.terminate?.(), CLOSE_TIMEOUT_MS));
  }

  function transmit(message: ClientMessage): void {
    socket?.send(JSON.stringify(message));
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

  if (last) count(last);
  connect();
  return {
    send(message) {
      if (status === 'live') transmit(message);
      return status === 'live';
    },
    wake,
    last: () => last,
    stop,
  };
}

/** @returns whether the same message may be accepted later */
function isPassing({ code }: ErrorMessage): boolean {
  return code >= 500 || code === 429;
}

/** A timer that Node.js doesn't wait for; browsers don't anyway. */
function unref(timer: unknown): void {
  (timer as { unref?(): void }).unref?.();
}
