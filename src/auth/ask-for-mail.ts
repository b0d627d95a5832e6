// POST /request-password-reset and /send-verification-email in better-auth's words, but without a look
// at the accounts: a request is passed on as it is, and a worker sees who gets an email. So neither
// the reply nor its time can tell. [contract 17]
import { createAuthEndpoint, originCheck } from 'better-auth/api';
import { z } from 'zod';
import type { Database } from '../platform/postgres.ts';
import type { MailQueue, MailWish } from './mail-queue.ts';
import { noteOutage } from './outages.ts';

export interface AskForMailDeps {
  db: Database;
  mailQueue: MailQueue;
}

export function passwordResetEndpoint(deps: AskForMailDeps) {
  return createAuthEndpoint(
    '/request-password-reset',
    {
      method: 'POST',
      body: z.object({ email: z.email(), redirectTo: z.string().optional() }),
      use: [originCheck(({ body }) => body.redirectTo)],
    },
    async (context) => {
      const { email, redirectTo } = context.body;
      await ask(deps, { kind: 'password-reset', to: email, leadsTo: redirectTo });
      return context.json({
        status: true,
        message: 'If this email exists in our system, check your email for the reset link',
      });
    },
  );
}

export function verificationEndpoint(deps: AskForMailDeps) {
  return createAuthEndpoint(
    '/send-verification-email',
    {
      method: 'POST',
      body: z.object({ email: z.email(), callbackURL: z.string().optional() }),
      use: [originCheck(({ body }) => body.callbackURL)],
    },
    async (context) => {
      const { email, callbackURL } = context.body;
      await ask(deps, { kind: 'verification', to: email, leadsTo: callbackURL });
      return context.json({ status: true });
    },
  );
}

async function ask({ db, mailQueue }: AskForMailDeps, wish: MailWish): Promise<void> {
  // A link that can't be made now is not promised.
  await noteOutage(() => db.$queryRaw`SELECT 1`);
  await noteOutage(() => mailQueue.ask({ ...wish, to: wish.to.toLowerCase() }));
}

/** What better-auth hands over where it finds out by itself that an address is to be confirmed. */
interface VerificationMail {
  user: { email: string };
  /** Its own link; ours is made by the worker, and leads to where this one does. */
  url: string;
}

/** For `sendVerificationEmail`: after a sign-in, by password or provider, before the confirmation. */
export function askAsBetterAuth(mailQueue: MailQueue, mail: VerificationMail): Promise<void> {
  const leadsTo = new URL(mail.url).searchParams.get('callbackURL') ?? undefined;
  return noteOutage(() =>
    mailQueue.ask({ kind: 'verification', to: mail.user.email.toLowerCase(), leadsTo }),
  );
}
