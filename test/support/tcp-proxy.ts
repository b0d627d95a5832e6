// A TCP connection that a test can cut, refuse or let hang: networks fail in more ways than
// servers do.
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Picks connections. @param port from which the proxy reaches the target: the target knows it too */
type IsChosen = (port: number | undefined) => boolean;

export interface TcpProxy {
  readonly port: number;
  /** @returns an address through the proxy: `url('redis')` is `redis://127.0.0.1:PORT`. */
  url(protocol: string): string;
  /** Destroys the connections of the moment; new ones work. @param isChosen which ones; by default all */
  cut(isChosen?: IsChosen): void;
  /** Destroys all connections and refuses new ones. */
  block(): Promise<void>;
  unblock(): Promise<void>;
  /**
   * Keeps and accepts connections, and forwards nothing: a silent network.
   * @param isChosen of which connections of the moment; all others and new ones work
   */
  stall(isChosen?: IsChosen): void;
  /** From now on everything arrives so much later, in its order. */
  slow(delayMs: number): void;
  /** Forwards nothing more on the connections of the moment; new ones work: a machine without power. */
  forsake(): void;
  /** Forwards again, first what came in meanwhile. */
  unstall(): void;
  stop(): Promise<void>;
}

/** Starts a proxy on a free port in front of `target`. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Map<Socket, Socket>();
  const forsaken: Socket[] = [];
  /** Those of which nothing is forwarded. */
  const held = new Set<Socket>();
  let stalled = false;
  let delayMs = 0;
  let port = 0;
  let listening = false;

  const server = createServer({ pauseOnConnect: true, noDelay: true }, (client) => {
    const upstream = createConnection({ ...target, noDelay: true });
    pairs.set(client, upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      const pass = createLine(() => delayMs);
      from.on('data', (chunk) =>
        pass(() => {
          // What is read is written in any case: stalling pauses the reading.
          if (!to.write(chunk)) from.pause();
        }),
      );
      to.on('drain', () => !held.has(from) && from.resume());
      from.on('end', () => pass(() => to.end()));
      from.on('error', () => undefined);
      from.on('close', () => {
        to.destroy();
        pairs.delete(client);
        held.delete(from);
      });
    }
    if (stalled) hold(client, upstream);
    else client.resume();
  });

  const listen = () =>
    new Promise<void>((resolve, reject) => {
      if (listening) return resolve();
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        listening = true;
        port = (server.address() as AddressInfo).port;
        resolve();
      });
    });

  function cut(isChosen: IsChosen = () => true): void {
    for (const [client, upstream] of pairs) {
      if (!isChosen(upstream.localPort)) continue;
      // A reset, as from a network that is gone, not an orderly goodbye.
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    }
  }

  function each(act: (socket: Socket) => void): void {
    for (const pair of pairs) pair.forEach(act);
  }

  function hold(...sockets: Socket[]): void {
    for (const socket of sockets) held.add(socket.pause());
  }

  function forsake(): void {
    each((socket) => {
      forsaken.push(socket.removeAllListeners('data').removeAllListeners('drain').pause());
    });
    pairs.clear();
  }

  async function block(): Promise<void> {
    const closed = listening && new Promise<void>((resolve) => server.close(() => resolve()));
    listening = false;
    cut();
    await closed;
  }

  await listen();
  return {
    port,
    url: (protocol) => `${protocol}://127.0.0.1:${port}`,
    cut,
    block,
    unblock: listen,
    stall(isChosen) {
      stalled ||= isChosen === undefined;
      for (const pair of pairs) if (isChosen?.(pair[1].localPort) ?? true) hold(...pair);
    },
    slow(ms) {
      delayMs = ms;
    },
    forsake,
    unstall() {
      stalled = false;
      held.clear();
      each((socket) => socket.resume());
    },
    stop() {
      for (const socket of forsaken) socket.destroy();
      return block();
    },
  };
}

/** @returns what does things after the delay of the moment, and never out of turn */
function createLine(delayMs: () => number): (act: () => void) => void {
  let latestMs = 0;
  let turn = Promise.resolve();
  let waiting = 0;
  return (act) => {
    latestMs = Math.max(latestMs, performance.now() + delayMs());
    const waitMs = latestMs - performance.now();
    if (waitMs <= 0 && waiting === 0) {
      act();
      return;
    }
    waiting++;
    turn = Promise.all([turn, sleep(Math.max(0, waitMs))]).then(() => {
      waiting--;
      act();
    });
  };
}
