// Keeps one WebSocket to the service open. It reconnects with backoff when a socket ends, and probes a silent
// socket, since a broken connection may not be reported. The messages are in live.ts.

/** The part of a WebSocket that is used; a browser's fits as it is. */
export interface LiveSocket {
  onopen: (() => void) | null;
  onmessage: ((message: { data: string }) => void) | null;
  onclose: ((close: { code: number }) => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(): void;
  /** Only the `ws` of Node.js has it: ends the connection without the closing handshake. */
  terminate?(): void;
}

export type LiveStatus = 'connecting' | 'live' | 'reconnecting' | 'ended';

export interface ReconnectingSocketOptions {
  /** Opens a new socket to `/ws`. */
  openSocket(): LiveSocket;
  /** Asks over HTTP whether there is a session, since a browser doesn't report why an upgrade was refused. */
  isSignedIn(): Promise<boolean>;
  /** A new socket is opened, after every reconnection too. */
  onOpen(): void;
  onMessage(text: string): void;
  /** The socket is silent: send something that the service answers. */
  onSilence(): void;
  /** There is no session; the socket stays closed. */
  onSignedOut(): void;
  onStatus(status: LiveStatus): void;
}

export interface ReconnectingSocket {
  readonly status: LiveStatus;
  send(text: string): void;
  /** The service has accepted the socket: the status is `live` until the socket ends. */
  confirm(): void;
  /** The service has to answer what was just sent: a socket that stays silent is given up. */
  expectAnswer(): void;
  /** The service has answered. */
  noteAnswer(): void;
  /** Gives the socket up and opens another one after a delay. */
  reconnect(): void;
  /** The network or the screen is back: reconnects without a delay, or probes the socket. */
  wake(): void;
  /** Ends the socket for good. */
  stop(): void;
}

/** The delay before a reconnection doubles with each attempt, from the first to the last of these, ms. */
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** How long a new socket may take until `confirm`, ms; beyond it the client opens another one. */
const CONFIRM_TIMEOUT_MS = 10_000;
/** How long a socket may be silent, ms; beyond it the client probes the socket. */
const SILENCE_MS = 25_000;
/** How long the service may take to answer a probe, ms; beyond it the client reconnects. */
const PROBE_TIMEOUT_MS = 5000;
/** How long the closing handshake of an abandoned socket may take, ms; beyond it the socket is terminated. */
const CLOSE_TIMEOUT_MS = 1000;
/** [contract 6: a session that is over closes its sockets with 4401] */
const CLOSE_SIGNED_OUT = 4401;

/** Connects at once, and stays connected until `stop` or `onSignedOut`. */
export function createReconnectingSocket(options: ReconnectingSocketOptions): ReconnectingSocket {
  let socket: LiveSocket | null = null;
  let status: LiveStatus = 'connecting';
  let attempt = 0;
  /** The one timer of the present state. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasOpened = false;
  /** Whether the socket is given up unless the service answers. */
  let isProbed = false;

  function connect(): void {
    const opened = options.openSocket();
    socket = opened;
    hasOpened = isProbed = false;
    wait(CONFIRM_TIMEOUT_MS, reconnect);
    // A close follows each error. Without a listener, `ws` would throw the error.
    opened.onerror = () => {};
    opened.onopen = () => {
      hasOpened = true;
      options.onOpen();
    };
    opened.onmessage = ({ data }) => options.onMessage(data);
    opened.onclose = ({ code }) => {
      if (code === CLOSE_SIGNED_OUT) signOut();
      else reconnect();
    };
  }

  function reconnect(): void {
    abandon();
    setStatus('reconnecting');
    const delayMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt++);
    // The jitter keeps the clients of a replica that stops from reconnecting all at once.
    wait(delayMs * (0.5 + Math.random() / 2), hasOpened ? connect : checkSession);
  }

  /** A socket that never opened may have been refused because there is no session. */
  function checkSession(): void {
    // `stop` or `wake` may come before the answer.
    const isOvertaken = () => status === 'ended' || socket !== null;
    options.isSignedIn().then(
      (isSignedIn) => {
        if (isOvertaken()) return;
        if (isSignedIn) connect();
        else signOut();
      },
      // The network or the service is away.
      () => {
        if (!isOvertaken()) reconnect();
      },
    );
  }

  function probe(): void {
    expectAnswer();
    options.onSilence();
  }

  /** A later question does not give a silent socket more time. */
  function expectAnswer(): void {
    if (status !== 'live' || isProbed) return;
    isProbed = true;
    wait(PROBE_TIMEOUT_MS, reconnect);
  }

  function noteAnswer(): void {
    if (status !== 'live') return;
    isProbed = false;
    wait(SILENCE_MS, probe);
  }

  function signOut(): void {
    stop();
    options.onSignedOut();
  }

  function stop(): void {
    clearTimeout(timer);
    setStatus('ended');
    abandon();
  }

  /** Stops listening to the socket at once: a dead one would report its end only much later. */
  function abandon(): void {
    if (!socket) return;
    const abandoned = socket;
    socket = null;
    abandoned.onopen = abandoned.onmessage = abandoned.onclose = null;
    abandoned.close();
    if (abandoned.terminate) unref(setTimeout(() => abandoned.terminate?.(), CLOSE_TIMEOUT_MS));
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
    send: (text) => socket?.send(text),
    confirm() {
      attempt = 0;
      setStatus('live');
      noteAnswer();
    },
    expectAnswer,
    noteAnswer,
    reconnect,
    wake() {
      if (status === 'live') probe();
      else if (status !== 'ended' && !socket) {
        attempt = 0;
        connect();
      }
    },
    stop,
  };
}

/** Lets Node.js exit while the timer runs. A browser's timer has no `unref`. */
function unref(timer: unknown): void {
  (timer as { unref?(): void }).unref?.();
}
