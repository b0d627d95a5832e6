// Terminates TLS in front of a server without TLS, since tests can't assume that Redis was built with it.
// Each run generates its certificate.
import { randomUUID } from 'node:crypto';
import { type AddressInfo, createConnection } from 'node:net';
import { Transform } from 'node:stream';
import { createServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';

export interface Certificate {
  cert: string;
  private: string;
}

export interface TlsProxy {
  readonly port: number;
  /** @returns the number of connections that were opened through the proxy */
  connections(): number;
  stop(): Promise<void>;
}

/**
 * Each certificate has a subject of its own: a process looks its trusted certificates up by subject, and finds the
 * wrong one if two test files trusted certificates with the same subject.
 * @returns a self-signed certificate for `host`
 */
export async function createCertificate(host: 'localhost' | '127.0.0.1'): Promise<Certificate> {
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
export function trust({ cert }: Certificate): void {
  setDefaultCACertificates([...getCACertificates(), cert]);
}

/**
 * Starts a proxy on a free port of 127.0.0.1.
 * @param port the server's port
 * @param translate maps ports in the server's replies to those of proxies, with the same number of digits
 */
export async function startTlsProxy(
  port: number,
  { cert, private: key }: Certificate,
  translate: ReadonlyMap<number, number> = new Map(),
): Promise<TlsProxy> {
  const open = new Set<TLSSocket>();
  let connections = 0;
  const server = createServer({ cert, key }, (client) => {
    const upstream = createConnection({ port, host: '127.0.0.1', noDelay: true });
    connections++;
    open.add(client);
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    client.on('close', () => open.delete(client));
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.pipe(upstream);
    upstream.pipe(translating(translate)).pipe(client);
  });
  // A client that does not trust the certificate ends the handshake.
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const client of open) client.destroy();
      return closed;
    },
  };
}

function translating(ports: ReadonlyMap<number, number>): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let text = chunk.toString('latin1');
      for (const [from, to] of ports) text = text.replaceAll(`${from}`, `${to}`);
      done(null, Buffer.from(text, 'latin1'));
    },
  });
}
