// GET /verify-email, the target of a confirmation link. It confirms the address in the browser that has signed up. In
// any other browser it changes nothing and redirects to a form that asks for the password, since mail scanners and
// people whose address somebody else has used open the link too. [contract 17]
import type { GenericEndpointContext } from 'better-auth';
import { createAuthEndpoint, originCheck } from 'better-auth/api';
import { z } from 'zod';
import { browserHashOf } from './browser-cookie.ts';
import { type ConfirmDeps, confirmByLink } from './confirm.ts';
import { invalidLink } from './invalid-link.ts';
import { whereItLeads, withQuery } from './leads-to.ts';
import { FORM_PATH, readLink } from './link.ts';

/** The page's screens for answering a link and for an invalid one. */
const ANSWER_SCREEN = '/verify';
const DEAD_LINK_SCREEN = '/verified';

const Query = z.object({ token: z.string(), callbackURL: z.string().optional() });

/** The settings that decide to which address a link redirects. */
export interface LinkPlaces {
  /** The beginning of all the service's addresses. */
  publicUrl: string;
  /** Whether the page is served. */
  hasPage: boolean;
}

export function openLinkEndpoint(deps: ConfirmDeps, { publicUrl, hasPage }: LinkPlaces) {
  return createAuthEndpoint(
    '/verify-email',
    { method: 'GET', query: Query, use: [originCheck(({ query }) => query.callbackURL)] },
    async (context) => {
      const { token, callbackURL } = context.query;
      const { baseURL, internalAdapter, secret } = context.context;
      const link = await readLink(token, secret);
      const browser = { kind: 'browser', hash: browserHashOf(context.headers) } as const;
      const outcome = link ? await confirmByLink(deps, link, browser) : 'ended';
      if (outcome === 'unanswered') {
        const answered = hasPage ? `${publicUrl}${ANSWER_SCREEN}` : `${baseURL}${FORM_PATH}`;
        throw context.redirect(withQuery(answered, { token }));
      }
      const leadsTo = callbackURL ?? (await whereItLeads(internalAdapter, token));
      if (outcome === 'ended') {
        const screen = hasPage && wantsPage(context) ? `${publicUrl}${DEAD_LINK_SCREEN}` : undefined;
        const end = leadsTo ?? screen;
        if (!end) throw invalidLink();
        throw context.redirect(withQuery(end, { error: 'INVALID_TOKEN' }));
      }
      if (leadsTo) throw context.redirect(leadsTo);
      return context.json({ status: true, user: null });
    },
  );
}

function wantsPage({ headers }: GenericEndpointContext): boolean {
  return /\btext\/html\b/i.test(headers?.get('accept') ?? '');
}
