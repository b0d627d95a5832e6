// PostgreSQL can send its shutdown error in the same packet as ReadyForQuery of a new connection. Only the
// queries of that connection may fail, and not the process.
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { isOutage } from '../../src/platform/outages/outage.ts';
import { connectToPostgres, useStores } from '../support/stores.ts';

/** ReadyForQuery outside of a transaction, the last message of a connection's start. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');
const FIELDS = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';

const stores = useStores();

function shutdownError(): Buffer {
  const head = Buffer.from('E\0\0\0\0', 'latin1');
  head.writeInt32BE(FIELDS.length + 4, 1);
  return Buffer.concat([head, Buffer.from(FIELDS, 'latin1')]);
}

it('a shutdown error that arrives together with ReadyForQuery is an outage and does not end the process', async () => {
  const target = new URL(stores.databaseUrl);
  const server = createServer((client) => {
    const upstream = createConnection(Number(target.port), target.hostname);
    client.on('error', () => {}).pipe(upstream);
    upstream
      .on('error', () => {})
      .on('data', (chunk) => {
        client.write(chunk.includes(READY) ? Buffer.concat([chunk, shutdownError()]) : chunk);
      });
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  const { db } = connectToPostgres(url.href, 1);
  try {
    const query = db.$queryRaw`SELECT 1`.catch((error: unknown) => error);
    expect(isOutage(await query)).toBe(true);
    const transaction = db.$transaction([db.user.count()]).catch((error: unknown) => error);
    expect(isOutage(await transaction)).toBe(true);
  } finally {
    await db.$disconnect();
    await new Promise((resolve) => server.close(resolve));
  }
});
