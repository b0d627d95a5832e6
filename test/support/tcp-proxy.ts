// A TCP connection that a test can cut, refuse or let hang: networks fail in more ways than
// servers do.
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** @returns an address through the proxy: `url('redis')` is `redis://127.0.0.1:PORT`. */
  url(protocol: string): string;
  /** Destroys all connections of the moment; new ones work. */
  cut(): void;
  /** Destroys all connections and refuses new ones. */
  block(): Promise<void>;
  unblock(): Promise<void>;
  /** Keeps and accepts connections, and forwards nothing: a silent network. */
  stall(): void;
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
  let stalled = false;
  let port = 0;
  let listening = false;

  const server = createServer({ pauseOnConnect: true, noDelay: true }, (client) => {
    const upstream = createConnection({ ...target, noDelay: true });
    pairs.set(client, upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (chunk) => {
        // What is read is written in any case: stalling pauses the reading.
        if (!to.write(chunk)) from.pause();
      });
      to.on('drain', () => !stalled && from.resume());
      from.on('end', () => to.end());
      from.on('error', () => undefined);
      from.on('close', () => {
        to.destroy();
        pairs.delete(client);
      });
    }
    if (stalled) upstream.pause();
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

  function cut(): void {
    for (const [client, upstream] of pairs) {
      // A reset, as from a network that is gone, not an orderly goodbye.
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    }
  }

  function each(act: (socket: Socket) => void): void {
    for (const pair of pairs) pair.forEach(act);
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
    stall() {
      stalled = true;
      each((socket) => socket.pause());
    },
    forsake,
    unstall() {
      stalled = false;
      each((socket) => socket.resume());
    },
    stop() {
      for (const socket of forsaken) socket.destroy();
      return block();
    },
  };
}
