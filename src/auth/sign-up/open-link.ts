// GET /verify-email, the link in the emails that ask for a confirmation: what it does depends on who
// opens it. [contract 17]
import { createHash, randomBytes } from 'node:crypto';
import { APIError } from 'better-auth';
import { createAuthEndpoint, originCheck } from 'better-auth/api';
import { verifyJWT } from 'better-auth/crypto';
import { z } from 'zod';
import { browserOf } from './browser-cookie.ts';
import { type ConfirmDeps, confirmByLink } from './confirm.ts';

/** How long the page waits for the password to be chosen. */
const CHOOSE_SECONDS = 3600;

/** Where a password is chosen; the page's own screen. */
const CHOOSE_PATH = '/reset-password';

/** What stands in a link beside the address, which better-auth puts there. */
export const LinkPayload = z.object({
  email: z.email(),
  userId: z.uuid().optional(),
  signUpId: z.uuid().optional(),
  exp: z.number(),
});

const Query = z.object({ token: z.string(), callbackURL: z.string().optional() });

/** @param publicUrl what every address of ours begins with */
export function openLinkEndpoint(deps: ConfirmDeps, publicUrl: string) {
  return createAuthEndpoint(
    '/verify-email',
    { method: 'GET', query: Query, use: [originCheck(({ query }) => query.callbackURL)] },
    async (context) => {
      const { token, callbackURL } = context.query;
      const { secret, internalAdapter } = context.context;
      const link = LinkPayload.safeParse(await verifyJWT(token, secret)).data;
      const outcome = link && {
        ...(await confirmByLink(deps, {
          email: link.email,
          userId: link.userId,
          signUpId: link.signUpId,
          hash: createHash('sha256').update(token).digest('hex'),
          expiresAt: new Date(link.exp * 1000),
          browserHash: browserOf(context),
        })),
      };
      if (!outcome || outcome.kind === 'ended') {
        if (!callbackURL)
          throw new APIError('UNAUTHORIZED', { code: 'INVALID_TOKEN', message: 'Invalid token' });
        throw context.redirect(withQuery(callbackURL, { error: 'INVALID_TOKEN' }));
      }
      if (outcome.kind === 'choose') {
        const choice = randomBytes(18).toString('base64url');
        await internalAdapter.createVerificationValue({
          identifier: `reset-password:${choice}`,
          value: outcome.userId,
          expiresAt: new Date(Date.now() + CHOOSE_SECONDS * 1000),
        });
        const screen = `${publicUrl}${CHOOSE_PATH}`;
        throw context.redirect(withQuery(screen, { token: choice, confirmed: 'true' }));
      }
      if (callbackURL) throw context.redirect(callbackURL);
      return context.json({ status: true, user: null });
    },
  );
}

/** @param address whole, or a path of ours */
function withQuery(address: string, parameters: Record<string, string>): string {
  const [bare = '', fragment] = address.split('#');
  const query = new URLSearchParams(parameters);
  return `${bare}${bare.includes('?') ? '&' : '?'}${query}${fragment === undefined ? '' : `#${fragment}`}`;
}
