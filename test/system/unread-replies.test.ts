// A replica holds a bounded number of large replies that nobody reads, and each of them once. [contract 17]
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { checkList } from '../../src/vocabulary/lists/check-list.ts';
import type { WordList } from '../../src/vocabulary/lists/schema.ts';
import { insertList } from '../../src/vocabulary/lists/store.ts';
import { createHttpClient } from '../support/http-client.ts';
import { listOf } from '../support/lists.ts';
import { type ReplicaProcess, useReplicaProcesses } from '../support/replica-process.ts';
import { createSignedInUser } from '../support/users.ts';

const READERS = 60;
/** A reply as JSON takes more than three MiB, of which the operating system's buffers take the first one of a reader. */
const LIST = listOf({
  terms: Array.from({ length: 2000 }, (_, at) => ({
    sourceText: `${at}${'𝔞'.repeat(115)}`,
    targetText: `${at}${'𝔞'.repeat(115)}`,
    sourceGloss: '𝔤'.repeat(200),
  })),
});
const LONGEST = Buffer.from(JSON.stringify(LIST));
const MIB = 1024 * 1024;

const { stage } = useReplicaProcesses(1, { NODE_OPTIONS: '--max-old-space-size=128 --max-semi-space-size=8' });

interface Reader {
  socket: Socket;
  /** What it has read. */
  text: string;
}

/** Asks twice for the same, and reads no more than the beginning. */
function askTwice({ url }: ReplicaProcess, path: string, cookie: string): Reader {
  const { hostname, port } = new URL(url);
  const reader = { socket: connect(Number(port), hostname), text: '' };
  const { socket } = reader;
  socket
    .on('error', () => {})
    .on('data', (bytes) => {
      reader.text += bytes.toString('latin1');
      // A refusal is read whole, as is what follows.
      if (/^HTTP\/1.1 200/.test(reader.text)) socket.pause();
    });
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\n\r\n`.repeat(2));
  return reader;
}

it('the memory of a replica does not grow with replies that nobody reads', async () => {
  const [replica] = stage.replicas;
  const { id, cookie } = await createSignedInUser(stage.services);
  const client = createHttpClient(replica.url, { cookie });
  const stored = await insertList(stage.services.postgres, id, checkList(LONGEST));
  const path = `/api/v1/lists/${(stored as WordList).listId}`;
  for (let count = 0; count < 10; count++) expect((await client.get(path)).status).toBe(200);
  const before = await replica.residentBytes();
  const readers = Array.from({ length: READERS }, () => askTwice(replica, path, cookie));
  await expect.poll(() => readers.filter(({ text }) => text).length).toBe(READERS);
  const grown = (await replica.residentBytes()) - before;
  console.log(`unread replies: ${Math.round(grown / MIB)} MiB`);
  for (const { socket } of readers) socket.destroy();
  expect(grown).toBeLessThan(100 * MIB);
});
