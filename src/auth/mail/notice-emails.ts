// The texts of the notices to an account's owner about changes of the account.
import { compose, type EmailContent } from './emails.ts';

export const NOTICES = [
  'password-changed',
  'second-factor-on',
  'second-factor-off',
  'second-factor-reset',
  'backup-codes-renewed',
  'passkey-added',
  'passkey-removed',
] as const;
export type Notice = (typeof NOTICES)[number];

/** @returns whether this kind of email is a notice */
export function isNotice(kind: string): kind is Notice {
  return (NOTICES as readonly string[]).includes(kind);
}

const WORDS: Record<Notice, { subject: string; lead: string }> = {
  'password-changed': {
    subject: 'Your password was changed',
    lead: 'The password of your Vocabulary Quiz account was changed. All other devices are signed out.',
  },
  'second-factor-on': {
    subject: 'Your second factor was turned on',
    lead: 'From now on a sign-in to your Vocabulary Quiz account asks for a code of an authenticator app.',
  },
  'second-factor-off': {
    subject: 'Your second factor was turned off',
    lead: 'A sign-in to your Vocabulary Quiz account no longer asks for a code.',
  },
  'second-factor-reset': {
    subject: 'Your second factor was removed',
    lead: 'Whoever runs this Vocabulary Quiz has removed the second factor of your account, as somebody asked for it in your name. All devices are signed out; sign in and set a new one up.',
  },
  'backup-codes-renewed': {
    subject: 'Your backup codes were replaced',
    lead: 'Your Vocabulary Quiz account has new backup codes. The old ones are no longer good.',
  },
  'passkey-added': {
    subject: 'A passkey was added',
    lead: 'A passkey was added to your Vocabulary Quiz account. It signs in without a password.',
  },
  'passkey-removed': {
    subject: 'A passkey was removed',
    lead: 'A passkey was removed from your Vocabulary Quiz account.',
  },
};

/**
 * @param user.name the name as the user typed it; undefined greets nobody by name
 * @param url the page on which a new password can be requested
 */
export function noticeEmail(notice: Notice, user: { name?: string | undefined }, url: string): EmailContent {
  return compose(user.name, url, {
    ...WORDS[notice],
    button: 'Choose a new password',
    notes: [
      'Was it you? Then there is nothing to do.',
      'Was it not you? Choose a new password at once: that signs out everybody else. Then look at “Your account” for a second factor and passkeys that are not yours.',
    ],
  });
}
