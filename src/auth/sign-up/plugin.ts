// The ways into an account by email, in place of better-auth's own endpoints of the same names.
import {
  type AskForMailDeps,
  passwordResetEndpoint,
  verificationEndpoint,
} from '../ask-for-mail.ts';
import type { ConfirmDeps } from './confirm.ts';
import { openLinkEndpoint } from './open-link.ts';
import { signUpEndpoint } from './sign-up.ts';

export interface SignUpPluginDeps extends AskForMailDeps {
  /** What every address of ours begins with. */
  publicUrl: string;
  confirming: ConfirmDeps;
}

export function signUpPlugin(deps: SignUpPluginDeps) {
  return {
    id: 'sign-up',
    endpoints: {
      signUpEmail: signUpEndpoint(deps),
      verifyEmail: openLinkEndpoint(deps.confirming, deps.publicUrl),
      requestPasswordReset: passwordResetEndpoint(deps),
      sendVerificationEmail: verificationEndpoint(deps),
    },
  };
}
