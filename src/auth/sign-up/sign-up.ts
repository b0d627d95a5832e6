// POST /sign-up/email in better-auth's format, and the plugin with all endpoints for sign-up, confirmation and reset by
// email. A sign-up does not reveal whether there is such an account: every one does the same work and gets the same
// reply, and only an email says what follows. [contract 17]
import { randomUUID } from 'node:crypto';
import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, isAPIError } from 'better-auth/api';
import { z } from 'zod';
import { PAGE_LANGUAGES } from '../../names/languages.ts';
import { wantedLanguage } from '../../names/wanted-language.ts';
import type { Services } from '../../services.ts';
import { checkLength } from '../input/input-rules.ts';
import { askingEndpoints } from '../mail/ask-for-mail.ts';
import { type HookContext, hook, refusal } from '../plugins/auth-hooks.ts';
import { noteOutage } from '../store-failures.ts';
import { type LinkServices, linkEndpoints, ofForm } from './link-endpoints.ts';
import { markBrowser } from './links.ts';
import { addClaim } from './store.ts';

type SignUpServices = LinkServices & Pick<Services, 'mailQueue'>;

export function signUpPlugin(deps: SignUpServices) {
  return {
    id: 'sign-up',
    endpoints: { signUpEmail: signUpEndpoint(deps), ...askingEndpoints(deps), ...linkEndpoints(deps) },
    hooks: { after: [hook(markSocialSignUp, '/sign-in/social')] },
  };
}

/** @returns a plugin that refuses every sign-up by email, whatever its body is [contract 22] */
export function signUpOff(): BetterAuthPlugin {
  const refuse = async () => {
    throw refusal('FORBIDDEN', 'SIGN_UP_DISABLED', 'Nobody can sign up by email here');
  };
  return { id: 'sign-up-off', hooks: { before: [hook(refuse, '/sign-up/email')] } };
}

/** Marks the browser that brings an unverified address from a provider, so that the link confirms it there. */
async function markSocialSignUp(hookContext: HookContext): Promise<void> {
  if (!isAPIError(hookContext.context.returned)) markBrowser(hookContext);
}

/** Other fields are ignored, as better-auth does. */
const Body = z.object({
  name: z.string(),
  email: z.email(),
  password: z.string().nonempty(),
  image: z.string().nullish(),
  callbackURL: z.string().optional(),
  language: z.enum(PAGE_LANGUAGES).optional(),
});

function signUpEndpoint({ db, mailQueue, passwordHash }: SignUpServices) {
  return createAuthEndpoint('/sign-up/email', ofForm(Body), async (context) => {
    const { name, password, image = null, callbackURL } = context.body;
    const email = context.body.email.toLowerCase();
    const language = context.body.language ?? wantedLanguage(context.headers?.get('accept-language'));
    checkLength(password);
    const hash = await passwordHash.hashForAddress(email, password, context.context.secret);
    const browserHash = markBrowser(context);
    const claim = { email, name, image, password: hash, browserHash, language: language ?? null };
    const signUpId = await noteOutage(() => addClaim(db, claim));
    await noteOutage(() => mailQueue.ask({ kind: 'sign-up', to: email, signUpId, leadsTo: callbackURL, language }));
    // The reply's user is made up each time, and has nothing of an existing account.
    const now = new Date();
    const user = { id: randomUUID(), name, email, image, emailVerified: false, createdAt: now, updatedAt: now };
    return context.json({ token: null, user });
  });
}
