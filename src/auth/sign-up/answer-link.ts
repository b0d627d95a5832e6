// Answers a confirmation link in a browser that has not signed up, with the password of the sign-up or with a new
// one. Both are POSTs, since a GET must change nothing. [contract 17]
import type { GenericEndpointContext } from 'better-auth';
import { APIError, createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import { checkPassword } from '../input/input-rules.ts';
import { MAX_PASSWORD_LENGTH } from '../input/text-rules.ts';
import type { PasswordHash } from '../password-hash.ts';
import { type ConfirmDeps, confirmByLink, type LinkOutcome } from './confirm.ts';
import { invalidLink } from './invalid-link.ts';
import { whereItLeads } from './leads-to.ts';
import { CHOOSE_PATH, CONFIRM_PATH, type Link, MAX_TOKEN_LENGTH, readLink } from './link.ts';
import type { Reset } from './reset-password.ts';
import type { Answer } from './rules.ts';
import { checkLength } from './sign-up.ts';

const token = z.string().max(MAX_TOKEN_LENGTH);
const metadata = { allowedMediaTypes: ['application/x-www-form-urlencoded', 'application/json'] };

export function confirmLinkEndpoint(deps: ConfirmDeps, { hashForAddress }: PasswordHash) {
  const body = z.object({ token, password: z.string().max(MAX_PASSWORD_LENGTH) });
  return createAuthEndpoint(
    CONFIRM_PATH,
    { method: 'POST', use: [formCsrfMiddleware], body, metadata },
    async (context) => {
      const { password } = context.body;
      const link = await readLink(context.body.token, context.context.secret);
      if (!link) throw invalidLink();
      const hashes = await Promise.all(
        secretsOf(context).map((secret) => hashForAddress(link.email, password, secret)),
      );
      return answerLink(context, deps, link, { kind: 'password', hashes });
    },
  );
}

/** @returns all secrets that may have salted a sign-up's password, also those from before a rotation */
function secretsOf({ context: { secret, secretConfig } }: GenericEndpointContext): string[] {
  if (typeof secretConfig === 'string') return [secret];
  const { keys, legacySecret = secret } = secretConfig;
  return [...new Set([secret, ...keys.values(), legacySecret])];
}

/** @param onChosen is called after the new password is stored */
export function chooseByLinkEndpoint(deps: ConfirmDeps, onChosen: (chosen: Reset) => Promise<void>) {
  const body = z.object({ token, newPassword: z.string(), name: z.string().optional() });
  return createAuthEndpoint(
    CHOOSE_PATH,
    { method: 'POST', use: [formCsrfMiddleware], body, metadata },
    async (context) => {
      const { internalAdapter, password, secret } = context.context;
      const { newPassword, name } = context.body;
      checkLength(newPassword, password.config);
      const link = await readLink(context.body.token, secret);
      const user = link && (await internalAdapter.findUserById(link.userId));
      if (!link || !user) throw invalidLink();
      checkPassword(newPassword, { email: user.email, name: name ?? user.name });
      const hash = await password.hash(newPassword);
      const answered = await answerLink(context, deps, link, { kind: 'choice', hash, name });
      const { userId, email } = link;
      await onChosen({ userId, email, headers: context.headers });
      return answered;
    },
  );
}

/** @returns the reply, with the page to go to next if the request for the email has named one */
async function answerLink(context: GenericEndpointContext, deps: ConfirmDeps, link: Link, answer: Answer) {
  refuse(await confirmByLink(deps, link, answer));
  const url = await whereItLeads(context.context.internalAdapter, context.body.token);
  return context.json({ status: true, ...(url && { url }) });
}

function refuse(outcome: LinkOutcome): void {
  if (outcome === 'ended') throw invalidLink();
  if (outcome === 'unanswered')
    throw new APIError('UNAUTHORIZED', { code: 'INVALID_PASSWORD', message: 'Invalid password' });
}
