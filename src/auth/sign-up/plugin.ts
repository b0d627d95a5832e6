// The plugin with the endpoints for sign-up, confirmation and reset by email. They replace better-auth's own ones of
// the same names.
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, isAPIError } from 'better-auth/api';
import { type AskForMailDeps, passwordResetEndpoint, verificationEndpoint } from '../mail/ask-for-mail.ts';
import { type HookContext, hook } from '../plugins/auth-hooks.ts';
import { chooseByLinkEndpoint, confirmLinkEndpoint } from './answer-link.ts';
import { markBrowser } from './browser-cookie.ts';
import type { ConfirmDeps } from './confirm.ts';
import { type LinkPlaces, openLinkEndpoint } from './open-link.ts';
import { openResetLinkEndpoint, type Reset, resetPasswordEndpoint } from './reset-password.ts';
import { type SignUpDeps, signUpEndpoint } from './sign-up.ts';

export interface SignUpPluginDeps extends AskForMailDeps, LinkPlaces, SignUpDeps {
  confirming: ConfirmDeps;
  /** Is called after each new password that was chosen by a link. */
  onReset(reset: Reset): Promise<void>;
}

export function signUpPlugin(deps: SignUpPluginDeps) {
  const { confirming, onReset } = deps;
  return {
    id: 'sign-up',
    endpoints: {
      signUpEmail: signUpEndpoint(deps),
      verifyEmail: openLinkEndpoint(confirming, deps),
      confirmEmailByPassword: confirmLinkEndpoint(confirming, deps.passwordHash),
      confirmEmailByChoice: chooseByLinkEndpoint(confirming, onReset),
      requestPasswordReset: passwordResetEndpoint(deps),
      requestPasswordResetCallback: openResetLinkEndpoint(deps),
      resetPassword: resetPasswordEndpoint(confirming, onReset),
      sendVerificationEmail: verificationEndpoint(deps),
    },
    hooks: { after: [hook(markSocialSignUp, '/sign-in/social')] },
  };
}

/** @returns a plugin that refuses every sign-up by email, whatever its body is [contract 22] */
export function signUpOff(): BetterAuthPlugin {
  const refuse = async () => {
    throw new APIError('FORBIDDEN', { code: 'SIGN_UP_DISABLED', message: 'Nobody can sign up by email here' });
  };
  return { id: 'sign-up-off', hooks: { before: [hook(refuse, '/sign-up/email')] } };
}

/** Marks the browser that brings an unverified address from a provider, so that the link confirms it there. */
async function markSocialSignUp(hookContext: HookContext): Promise<void> {
  if (!isAPIError(hookContext.context.returned)) markBrowser(hookContext);
}
