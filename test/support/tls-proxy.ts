// TLS in front of a server that speaks none, as tests can't assume a Redis that was built with it. The
// certificate is made at each run.
import { type AddressInfo, createConnection } from 'node:net';
import { Transform } from 'node:stream';
import {
  createServer,
  getCACertificates,
  setDefaultCACertificates,
  type TLSSocket,
} from 'node:tls';
import { generate } from 'selfsigned';

export interface Certificate {
  cert: string;
  private: string;
}

export interface TlsProxy {
  readonly port: number;
  /** How many connections have been made through it. */
  connections(): number;
  stop(): Promise<void>;
}

/** @returns a certificate of `host` alone that nobody trusts yet */
export async function createCertificate(host: 'localhost' | '127.0.0.1'): Promise<Certificate> {
  const name =
    host === 'localhost' ? { type: 2 as const, value: host } : { type: 7 as const, ip: host };
  return generate([{ name: 'commonName', value: 'test' }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [name] },
    ],
  });
}

/** Has this process trust it, as NODE_EXTRA_CA_CERTS does. */
export function trust({ cert }: Certificate): void {
  setDefaultCACertificates([...getCACertificates(), cert]);
}

/**
 * Starts one on a free port of 127.0.0.1.
 * @param port of the server behind it
 * @param translate what the server says of ports becomes what clients shall use: as many digits
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
  // A client that doesn't trust us.
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
