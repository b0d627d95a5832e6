// GET /reset-password/:token, the target of the link in a reset email, and POST /reset-password in better-auth's
// format. One transaction stores the new password, uses up the link and ends all sessions, so that a crash can't
// leave one of them undone. [contract 17]
import { APIError, createAuthEndpoint, originCheck } from 'better-auth/api';
import { z } from 'zod';
import type { Database } from '../../platform/postgres/postgres.ts';
import { noteOutage } from '../store-failures.ts';
import { type ConfirmDeps, confirmByReset } from './confirm.ts';
import { whereItLeads, withQuery } from './leads-to.ts';
import { checkLength } from './sign-up.ts';
import { findResetLink } from './store.ts';

/** The page's screen for choosing a password, unless the request named another page. */
const CHOOSE_SCREEN = '/reset-password';

/** Redirects to the page where the password is chosen, and changes nothing. */
export function openResetLinkEndpoint({ db, publicUrl }: { db: Database; publicUrl: string }) {
  return createAuthEndpoint(
    '/reset-password/:token',
    {
      method: 'GET',
      query: z.object({ callbackURL: z.string().optional() }),
      use: [originCheck(({ query }) => query.callbackURL)],
    },
    async (context) => {
      const { token } = context.params;
      const { internalAdapter } = context.context;
      const asked = context.query.callbackURL || (await whereItLeads(internalAdapter, token));
      const isAlive = (await noteOutage(() => findResetLink(db, token))) !== null;
      const query: Record<string, string> = isAlive ? { token } : { error: 'INVALID_TOKEN' };
      throw context.redirect(withQuery(asked ?? `${publicUrl}${CHOOSE_SCREEN}`, query));
    },
  );
}

/** Other fields of the body are ignored, as better-auth does. */
const Body = z.object({ newPassword: z.string(), token: z.string().optional() });
const Query = z.object({ token: z.string().optional() }).optional();

/** The user with the new password, and the request. */
export interface Reset {
  userId: string;
  email: string;
  headers: Headers | undefined;
}

/** @param onReset is called after the new password is stored */
export function resetPasswordEndpoint(deps: ConfirmDeps, onReset: (reset: Reset) => Promise<void>) {
  return createAuthEndpoint('/reset-password', { method: 'POST', body: Body, query: Query }, async (context) => {
    const { password, internalAdapter } = context.context;
    const token = context.body.token || context.query?.token;
    if (!token) throw invalidToken();
    const { newPassword } = context.body;
    checkLength(newPassword, password.config);
    // An invalid link is refused before the expensive hash.
    if (!(await noteOutage(() => findResetLink(deps.db, token)))) throw invalidToken();
    const user = await confirmByReset(deps, token, await password.hash(newPassword));
    if (!user) throw invalidToken();
    // Concurrent sign-ins with the old password may have created sessions.
    await internalAdapter.deleteUserSessions(user.id);
    await onReset({ userId: user.id, email: user.email, headers: context.headers });
    return context.json({ status: true });
  });
}

function invalidToken(): APIError {
  return new APIError('BAD_REQUEST', { code: 'INVALID_TOKEN', message: 'Invalid token' });
}
