// POST /reset-password in better-auth's words, but in one step: the new password, the end of its link and
// that of all sessions, so that no crash in between leaves one of them out. [contract 17]
import { APIError } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { z } from 'zod';
import { noteOutage } from '../outages.ts';
import { type ConfirmDeps, confirmByReset } from './confirm.ts';
import { checkLength } from './sign-up.ts';
import { findResetLink } from './store.ts';

/** Anything else in it is ignored, as by better-auth. */
const Body = z.object({ newPassword: z.string(), token: z.string().optional() });
const Query = z.object({ token: z.string().optional() }).optional();

/** Whose password was chosen anew, and with which request. */
export interface Reset {
  userId: string;
  email: string;
  headers: Headers | undefined;
}

/** @param onReset told once it stands */
export function resetPasswordEndpoint(deps: ConfirmDeps, onReset: (reset: Reset) => Promise<void>) {
  return createAuthEndpoint(
    '/reset-password',
    { method: 'POST', body: Body, query: Query },
    async (context) => {
      const { password, internalAdapter } = context.context;
      const token = context.body.token || context.query?.token;
      if (!token) throw invalidToken();
      const { newPassword } = context.body;
      checkLength(newPassword, password.config);
      // No hash for a link that leads nowhere.
      if (!(await noteOutage(() => findResetLink(deps.db, token)))) throw invalidToken();
      const user = await confirmByReset(deps, token, await password.hash(newPassword));
      if (!user) throw invalidToken();
      // Those of sign-ins with the old password that were under way.
      await internalAdapter.deleteUserSessions(user.id);
      await onReset({ userId: user.id, email: user.email, headers: context.headers });
      return context.json({ status: true });
    },
  );
}

function invalidToken(): APIError {
  return new APIError('BAD_REQUEST', { code: 'INVALID_TOKEN', message: 'Invalid token' });
}
