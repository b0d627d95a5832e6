// The ways into an account by email, in place of better-auth's own endpoints of the same names.
import {
  type AskForMailDeps,
  passwordResetEndpoint,
  verificationEndpoint,
} from '../ask-for-mail.ts';
import type { ConfirmDeps } from './confirm.ts';
import { openLinkEndpoint } from './open-link.ts';
import { type Reset, resetPasswordEndpoint } from './reset-password.ts';
import { signUpEndpoint } from './sign-up.ts';

export interface SignUpPluginDeps extends AskForMailDeps {
  /** What every address of ours begins with. */
  publicUrl: string;
  confirming: ConfirmDeps;
  /** Told of each new password that was chosen by a link. */
  onReset(reset: Reset): Promise<void>;
}

export function signUpPlugin(deps: SignUpPluginDeps) {
  return {
    id: 'sign-up',
    endpoints: {
      signUpEmail: signUpEndpoint(deps),
      verifyEmail: openLinkEndpoint(deps.confirming, deps.publicUrl),
      requestPasswordReset: passwordResetEndpoint(deps),
      resetPassword: resetPasswordEndpoint(deps.confirming, deps.onReset),
      sendVerificationEmail: verificationEndpoint(deps),
    },
  };
}
