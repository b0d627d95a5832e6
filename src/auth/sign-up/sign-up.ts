// POST /sign-up/email in better-auth's format. It does not reveal whether there is such an account: every sign-up does
// the same work and gets the same reply, and only an email says what follows. [contract 17]
import { randomUUID } from 'node:crypto';
import { APIError, createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { PasswordHash } from '../password-hash.ts';
import { noteOutage } from '../store-failures.ts';
import { markBrowser } from './browser-cookie.ts';
import { addClaim } from './store.ts';

/** Other fields of the body are ignored, as better-auth does. */
const Body = z.object({
  name: z.string(),
  email: z.email(),
  password: z.string().nonempty(),
  image: z.string().nullish(),
  callbackURL: z.string().optional(),
});

export interface SignUpDeps {
  db: Database;
  mailQueue: MailQueue;
  passwordHash: PasswordHash;
}

export function signUpEndpoint({ db, mailQueue, passwordHash }: SignUpDeps) {
  return createAuthEndpoint(
    '/sign-up/email',
    {
      method: 'POST',
      use: [formCsrfMiddleware],
      body: Body,
      metadata: { allowedMediaTypes: ['application/x-www-form-urlencoded', 'application/json'] },
    },
    async (context) => {
      const { name, password, image = null, callbackURL } = context.body;
      const email = context.body.email.toLowerCase();
      checkLength(password, context.context.password.config);
      const hash = await passwordHash.hashForAddress(email, password, context.context.secret);
      const claim = { email, name, image, password: hash, browserHash: markBrowser(context) };
      const signUpId = await noteOutage(() => addClaim(db, claim));
      await noteOutage(() => mailQueue.ask({ kind: 'sign-up', to: email, signUpId, leadsTo: callbackURL }));
      return context.json({ token: null, user: userAsAnswered({ name, email, image }) });
    },
  );
}

export function checkLength(
  password: string,
  { minPasswordLength, maxPasswordLength }: { minPasswordLength: number; maxPasswordLength: number },
): void {
  if (password.length < minPasswordLength)
    throw new APIError('BAD_REQUEST', { code: 'PASSWORD_TOO_SHORT', message: 'Password too short' });
  if (password.length > maxPasswordLength)
    throw new APIError('BAD_REQUEST', { code: 'PASSWORD_TOO_LONG', message: 'Password too long' });
}

/** The reply's user. It is made up each time and has nothing of an existing account. */
function userAsAnswered(given: { name: string; email: string; image: string | null }) {
  const now = new Date();
  return { ...given, emailVerified: false, createdAt: now, updatedAt: now, id: randomUUID() };
}
