// Reads the outbox, the file to which a service without a mail provider writes its emails.
import { existsSync, readFileSync } from 'node:fs';
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

/** Waits for the `count`th email to `address`. */
export function mailTo(config: HasOutbox, address: string, count = 1): Promise<Mail> {
  return eventually(() => {
    const found = mailsTo(config, address)[count - 1];
    if (!found) throw new Error(`No email number ${count} to ${address} came.`);
    return found;
  });
}
