// The texts and layout of the account emails. It is pure: it takes a link and returns an email. It uses tables and
// inline styles, since mail clients support little else, and no pictures, so that opening a mail fetches nothing.

interface EmailContent {
  subject: string;
  html: string;
  text: string;
}

interface Words {
  subject: string;
  lead: string;
  button: string;
  /** The sentence about the link's lifetime, and about ignoring an email that one did not ask for. */
  notes: string[];
}

/** The greeting of an email. */
interface Addressee {
  /** The name as the user typed it; it is escaped here. It is absent if a stranger may have chosen it. */
  name?: string | undefined;
}

/** @param url the button's target */
export function verificationEmail(user: Addressee, url: string): EmailContent {
  return compose(user.name, url, {
    subject: 'Confirm your email address',
    lead: 'Welcome to Vocabulary Quiz. Confirm that this address is yours and you can start to play.',
    button: 'Confirm address',
    notes: [
      'The link works for 24 hours. Open it in the browser in which you signed up, and nothing more is asked of you; in another one you give the password of your sign-up, or choose a new one.',
      'Did you not sign up? Then do nothing: without a confirmation the account stays closed.',
    ],
  });
}

/** The email for a forgotten password; parameters as for `verificationEmail`. */
export function passwordResetEmail(user: Addressee, url: string): EmailContent {
  return compose(user.name, url, {
    subject: 'Choose a new password',
    lead: 'Somebody asked for a new password for your Vocabulary Quiz account. Choosing one signs you out on all devices.',
    button: 'Choose a password',
    notes: ['The link works for one hour, and once.', 'Was it not you? Then do nothing: your password stays as it is.'],
  });
}

/** The email for a sign-up under an existing account's address; parameters as for `verificationEmail`. */
export function signUpAttemptEmail(user: Addressee, url: string): EmailContent {
  return compose(user.name, url, {
    subject: 'You have an account already',
    lead: 'Somebody wanted to sign up for Vocabulary Quiz with your address. You have an account: sign in with it.',
    button: 'Sign in',
    notes: [
      'Have you forgotten the password? Choose a new one there.',
      'Was it not you? Then do nothing: nothing has changed.',
    ],
  });
}

/**
 * Builds an email.
 * @param name the name for the greeting, as the user typed it; it is escaped here. Undefined greets nobody by name
 */
export function compose(name: string | undefined, url: string, words: Words): EmailContent {
  const greeting = name === undefined ? 'Hello,' : `Hello ${name},`;
  return {
    subject: words.subject,
    text: `${[greeting, words.lead, url, ...words.notes].join('\n\n')}\n\n-- \nVocabulary Quiz\n`,
    html: page(greeting, url, words),
  };
}

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Colours for mail clients with a dark mode; the others use the light ones of the inline styles. */
const DARK_MODE = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page { background: #14161a !important; }
    .card { background: #1f2329 !important; border-color: #343a43 !important; }
    .strong { color: #f2f4f7 !important; }
    .soft { color: #a9b1bd !important; }
    .link { color: #9db8ff !important; }
  }`;

function page(greeting: string, url: string, { subject, lead, button, notes }: Words) {
  const paragraph = (text: string, look: string, style: string) =>
    `<p class="${look}" style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`;
  const strong = 'font-size:16px;line-height:24px;color:#1f2430';
  const soft = 'font-size:13px;line-height:20px;color:#5b6472';
  const link = escapeHtml(url);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${DARK_MODE}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f5f8">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(lead)}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f5f8">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #e1e5eb;border-radius:12px">
<tr><td style="padding:32px;font-family:${FONT}">
<p class="soft" style="margin:0 0 24px;font-size:13px;letter-spacing:1px;color:#5b6472">VOCABULARY QUIZ</p>
<h1 class="strong" style="margin:0 0 16px;font-size:22px;line-height:28px;color:#1f2430">${escapeHtml(subject)}</h1>
${paragraph(greeting, 'strong', strong)}
${paragraph(lead, 'strong', strong)}
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 24px"><tr>
<td style="border-radius:8px;background:#2f5bd7"><a href="${link}" style="display:inline-block;padding:12px 24px;font-size:16px;font-weight:600;color:#ffffff;text-decoration:none;border-radius:8px">${escapeHtml(button)}</a></td>
</tr></table>
${notes.map((note) => paragraph(note, 'soft', soft)).join('\n')}
<p class="soft" style="margin:0;${soft}">If the button does nothing, open this address:<br><a class="link" href="${link}" style="color:#2f5bd7;word-break:break-all">${link}</a></p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** @returns the text, escaped for an element or a quoted attribute */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

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
