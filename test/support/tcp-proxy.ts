// A TCP proxy simulates faults of the network: a test can reset, refuse, stall and delay connections. It can also
// terminate TLS in front of a server without it, since tests can't assume that Redis was built with it.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';

/** Selects connections. @param port the proxy's local port of the connection, which the target sees as well */
type IsChosen = (port: number | undefined) => boolean;

/** @returns what clients get instead of this part of the server's replies */
type Rewrite = (reply: Buffer) => Buffer;

/** Starts a proxy in front of the server of an address. @returns it, and the address that leads through it */
export async function startProxyOf(address: string, rewrite?: Rewrite): Promise<{ proxy: TcpProxy; url: string }> {
  const url = new URL(address);
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) }, { rewrite });
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

interface ProxyOptions {
  /** That of a proxy to which clients connect by TLS. */
  certificate?: Certificate;
  rewrite?: Rewrite | undefined;
}

/** Starts a proxy on a free port in front of `target`. */
export async function startTcpProxy(
  target: { host: string; port: number },
  { certificate, rewrite = (reply) => reply }: ProxyOptions = {},
) {
  const pairs = new Map<Socket, Socket>();
  const blackholed: Socket[] = [];
  /** Sockets from which nothing is forwarded. */
  const held = new Set<Socket>();
  let stalled = false;
  let delayMs = 0;
  let port = 0;
  let connections = 0;

  const server = certificate
    ? createTlsServer({ cert: certificate.cert, key: certificate.private }, forward)
    : createServer({ pauseOnConnect: true, noDelay: true }, forward);

  function forward(client: Socket): void {
    const upstream = createConnection({ ...target, noDelay: true });
    connections++;
    pairs.set(client, upstream);
    for (const [from, to, change] of [
      [client, upstream, (request: Buffer) => request],
      [upstream, client, rewrite],
    ] as const) {
      const pass = createLine(() => delayMs);
      from.on('data', (chunk) =>
        pass(() => {
          // A stall pauses reading only, so that data which was read is always written.
          if (!to.write(change(chunk))) from.pause();
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
  }

  async function listen(): Promise<void> {
    if (server.listening) return;
    await once(server.listen(port, '127.0.0.1'), 'listening');
    ({ port } = server.address() as AddressInfo);
  }

  function cut(isChosen: IsChosen = () => true): void {
    for (const [client, upstream] of pairs) {
      if (!isChosen(upstream.localPort)) continue;
      // A broken network causes a reset rather than an orderly end.
      if (client instanceof TLSSocket) client.destroy();
      else client.resetAndDestroy();
      upstream.resetAndDestroy();
    }
  }

  function each(act: (socket: Socket) => void): void {
    for (const pair of pairs) pair.forEach(act);
  }

  function hold(...sockets: Socket[]): void {
    for (const socket of sockets) held.add(socket.pause());
  }

  function blackhole(): void {
    each((socket) => {
      blackholed.push(socket.removeAllListeners('data').removeAllListeners('drain').pause());
    });
    pairs.clear();
  }

  async function block(): Promise<void> {
    const closed = server.listening && once(server.close(), 'close');
    cut();
    await closed;
  }

  await listen();
  return {
    port,
    connections: () => connections,
    /** @returns the address of the proxy: `url('redis')` is `redis://127.0.0.1:PORT` */
    url: (protocol: string) => `${protocol}://127.0.0.1:${port}`,
    /** Resets existing connections; new ones work. @param isChosen selects connections; by default all */
    cut,
    /** Resets all connections and refuses new ones. */
    block,
    unblock: listen,
    /**
     * Forwards nothing on existing and new connections, which stay open.
     * @param isChosen selects existing connections; then all others and new ones work
     */
    stall(isChosen?: IsChosen) {
      stalled ||= isChosen === undefined;
      for (const pair of pairs) if (isChosen?.(pair[1].localPort) ?? true) hold(...pair);
    },
    /** Delays everything by this time from now on; the order is kept. */
    slow(ms: number) {
      delayMs = ms;
    },
    /** Never forwards anything again on existing connections, as after a power failure; new ones work. */
    blackhole,
    /** Ends `stall`: the proxy forwards what has arrived meanwhile. */
    unstall() {
      stalled = false;
      held.clear();
      each((socket) => socket.resume());
    },
    stop() {
      for (const socket of blackholed) socket.destroy();
      return block();
    },
  };
}

/** @returns a function that performs each act after the current delay, in the order of the calls */
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

type Certificate = Awaited<ReturnType<typeof createCertificate>>;

/**
 * Each certificate has a subject of its own: a process looks its trusted certificates up by subject, and finds the
 * wrong one if two test files trusted certificates with the same subject.
 * @returns a self-signed certificate for `host`
 */
export async function createCertificate(host: 'localhost' | '127.0.0.1') {
  const name = host === 'localhost' ? { type: 2 as const, value: host } : { type: 7 as const, ip: host };
  return generate([{ name: 'commonName', value: randomUUID() }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [name] },
    ],
  });
}

/** Makes this process trust the certificate, as NODE_EXTRA_CA_CERTS does. */
export function trust({ cert }: { cert: string }): void {
  setDefaultCACertificates([...getCACertificates(), cert]);
}
