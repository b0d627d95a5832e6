// Reads the outbox, the file to which a service without a mail provider writes its emails.
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Config } from '../../src/config.ts';
import type { Mail } from '../../src/platform/mailer.ts';
import { eventually } from './eventually.ts';

interface HasOutbox {
  mail: Pick<Config['mail'], 'outbox'>;
}

/** @returns all emails to `address`, oldest first */
export function mailsTo({ mail }: HasOutbox, address: string): Mail[] {
  if (!existsSync(mail.outbox)) return [];
  const lines = readFileSync(mail.outbox, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Mail).filter(({ to }) => to === address);
}

export function mailTo(config: HasOutbox, address: string, count = 1): Promise<Mail> {
  return eventually(() => {
    const found = mailsTo(config, address)[count - 1];
    if (!found) throw new Error(`No email number ${count} to ${address} came.`);
    return found;
  });
}

const ERRORS: Record<number, string> = {
  422: 'validation_error',
  429: 'rate_limit_exceeded',
  500: 'internal_server_error',
};

type Reaction = number | 'silence';

export type FakeResend = Awaited<ReturnType<typeof startFakeResend>>;

export async function startFakeResend() {
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the body's shape
  const requests: { authorization: string | undefined; idempotencyKey: string | undefined; body: any }[] = [];
  const silent: (() => void)[] = [];
  let reactions: Reaction[] = [200];

  const server = createServer(async (request, response) => {
    const { authorization, 'idempotency-key': idempotencyKey } = request.headers;
    requests.push({ authorization, idempotencyKey: idempotencyKey?.toString(), body: await json(request) });
    const reaction = (reactions.length > 1 ? reactions.shift() : reactions[0]) ?? 200;
    const answer = (statusCode: number) => {
      const name = ERRORS[statusCode];
      response.writeHead(statusCode, { 'content-type': 'application/json' });
      response.end(JSON.stringify(name ? { name, statusCode, message: 'no' } : { id: 'e1' }));
    };
    if (reaction === 'silence') silent.push(() => answer(200));
    else answer(reaction);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestsFor: (address: string) => requests.filter(({ body }) => body.to === address),
    /** Sets the reactions to the next requests, in order; the last one repeats. */
    react(...next: Reaction[]) {
      reactions = next;
    },
    /** Answers the requests that have had no response. */
    breakSilence() {
      for (const answer of silent.splice(0)) answer();
    },
    async stop() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
