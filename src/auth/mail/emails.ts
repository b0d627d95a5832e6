// The account emails: their layout, and their texts in the languages of the page, which are in texts/. It is pure: it
// takes a link and returns an email. It uses tables and inline styles, since mail clients support little else, and no
// pictures, so that opening a mail fetches nothing. [contract 25]
import type { PageLanguage } from '../../names/languages.ts';
import type { WrittenMail } from './mail-queue.ts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import es from './texts/es.json' with { type: 'json' };
import fr from './texts/fr.json' with { type: 'json' };
import it from './texts/it.json' with { type: 'json' };

interface LinkTexts {
  subject: string;
  lead: string;
  button: string;
  /** The sentences about the link's lifetime, and about ignoring an email that one did not ask for. */
  notes: string[];
}

interface MailTexts {
  /** The greeting of somebody without a name, and the beginning of that by name. */
  hello: string;
  /** Stands above the link as text. */
  noButton: string;
  links: Record<'verification' | 'password-reset' | 'sign-up-attempt', LinkTexts>;
  notices: Record<Notice, Pick<LinkTexts, 'subject' | 'lead'>>;
  notice: Pick<LinkTexts, 'button' | 'notes'>;
}

const MAIL_TEXTS: Record<PageLanguage, MailTexts> = { en, de, fr, es, it };

/**
 * @param mail.name the name for the greeting, as the user typed it; it is escaped here. Undefined greets nobody by name,
 *   since a stranger may have chosen it
 * @param mail.url the button's target
 */
export function composeEmail({ kind, name, url, language }: Omit<WrittenMail, 'to' | 'expiresAt'>) {
  const { hello, noButton, links, notices, notice } = MAIL_TEXTS[language];
  const words = isNotice(kind) ? { ...notices[kind], ...notice } : links[kind];
  const greeting = name === undefined ? `${hello},` : `${hello} ${name},`;
  return {
    subject: words.subject,
    text: `${[greeting, words.lead, url, ...words.notes].join('\n\n')}\n\n-- \nVocabulary Quiz\n`,
    html: page({ language, url }, { ...words, greeting, noButton }),
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

function page(
  { language, url }: Pick<WrittenMail, 'language' | 'url'>,
  { subject, lead, button, notes, greeting, noButton }: LinkTexts & { greeting: string; noButton: string },
): string {
  const paragraph = (text: string, look: string, style: string) =>
    `<p class="${look}" style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`;
  const strong = 'font-size:16px;line-height:24px;color:#1f2430';
  const soft = 'font-size:13px;line-height:20px;color:#5b6472';
  const link = escapeHtml(url);
  return `<!doctype html>
<html lang="${language}">
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
<p class="soft" style="margin:0;${soft}">${escapeHtml(noButton)}<br><a class="link" href="${link}" style="color:#2f5bd7;word-break:break-all">${link}</a></p>
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
