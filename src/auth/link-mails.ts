// The emails that better-auth asks for, as they are queued: each is about one link.
import type { User } from 'better-auth';
import { createEmailVerificationToken } from 'better-auth/api';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { MailQueue, MailRequest } from './mail-queue.ts';
import { noteOutage } from './outages.ts';

export const VERIFICATION_SECONDS = 24 * 3600;
export const RESET_SECONDS = 3600;

interface LinkMail {
  user: User;
  url: string;
}

export interface LinkMails {
  sendVerification(mail: LinkMail): Promise<void>;
  sendPasswordReset(mail: LinkMail): Promise<void>;
  /**
   * For a sign-up with an address that has an account: sends the verification once more where it is
   * still wanted, which better-auth by itself only pretends to do.
   */
  sendVerificationAgain(signUp: { user: User }, request?: Request): Promise<void>;
}

export function createLinkMails(
  { secret, publicUrl }: Config['auth'],
  mailQueue: MailQueue,
): LinkMails {
  const sender =
    (kind: MailRequest['kind'], lifeSeconds: number) =>
    ({ user, url }: LinkMail) => {
      const expiresAt = new Date(Date.now() + lifeSeconds * 1000).toISOString();
      const mail = { kind, to: user.email, name: user.name, url, expiresAt };
      return noteOutage(() => mailQueue.enqueue(mail));
    };
  const sendVerification = sender('verification', VERIFICATION_SECONDS);

  return {
    sendVerification,
    sendPasswordReset: sender('password-reset', RESET_SECONDS),
    async sendVerificationAgain({ user }, request) {
      if (user.emailVerified) return;
      const token = await createEmailVerificationToken(
        secret,
        user.email,
        undefined,
        VERIFICATION_SECONDS,
      );
      const url = new URL('/api/auth/verify-email', publicUrl);
      url.searchParams.set('token', token);
      url.searchParams.set('callbackURL', await callbackOf(request));
      await sendVerification({ user, url: url.href });
    },
  };
}

/** Where the link leads in the end; better-auth has made sure that the page is trusted. */
async function callbackOf(request?: Request): Promise<string> {
  const body: unknown = await request?.json().catch(() => undefined);
  return z.object({ callbackURL: z.string() }).safeParse(body).data?.callbackURL ?? '/';
}
