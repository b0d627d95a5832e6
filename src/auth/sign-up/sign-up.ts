// POST /sign-up/email in better-auth's words, but without its look whether there is such an account:
// every sign-up does the same work and gets the same reply, and what follows from it stands in an
// email alone. [contract 17]
import { randomUUID } from 'node:crypto';
import { APIError } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import type { Database } from '../../platform/postgres.ts';
import type { MailQueue } from '../mail-queue.ts';
import { noteOutage } from '../outages.ts';
import { markBrowser } from './browser-cookie.ts';
import { hashForAddress } from './password-hash.ts';
import { addClaim } from './store.ts';

/** Anything else in it is ignored, as by better-auth. */
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
}

export function signUpEndpoint({ db, mailQueue }: SignUpDeps) {
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
      const hash = await hashForAddress(email, password, context.context.secret);
      const claim = { email, name, image, password: hash, browserHash: markBrowser(context) };
      const signUpId = await noteOutage(() => addClaim(db, claim));
      await noteOutage(() =>
        mailQueue.ask({ kind: 'sign-up', to: email, signUpId, leadsTo: callbackURL }),
      );
      return context.json({ token: null, user: userAsAnswered({ name, email, image }) });
    },
  );
}

export function checkLength(
  password: string,
  {
    minPasswordLength,
    maxPasswordLength,
  }: { minPasswordLength: number; maxPasswordLength: number },
): void {
  if (password.length < minPasswordLength)
    throw new APIError('BAD_REQUEST', {
      code: 'PASSWORD_TOO_SHORT',
      message: 'Password too short',
    });
  if (password.length > maxPasswordLength)
    throw new APIError('BAD_REQUEST', { code: 'PASSWORD_TOO_LONG', message: 'Password too long' });
}

/** A user as they would be, new each time: nothing of one who exists. */
function userAsAnswered(given: { name: string; email: string; image: string | null }) {
  const now = new Date();
  return { ...given, emailVerified: false, createdAt: now, updatedAt: now, id: randomUUID() };
}
