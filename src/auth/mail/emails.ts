// The account emails: email.html has their layout, and texts/ their texts in the languages of the page. The layout has
// tables and inline styles, since mail clients support little else, and fetches no pictures. [contract 25]
import { readFileSync } from 'node:fs';
import type { PageLanguage } from '../../names/languages.ts';
import type { WrittenMail } from './mail-queue.ts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import es from './texts/es.json' with { type: 'json' };
import fr from './texts/fr.json' with { type: 'json' };
import it from './texts/it.json' with { type: 'json' };

const MAIL_TEXTS: Record<PageLanguage, typeof en> = { en, de, fr, es, it };
const TEMPLATE = readFileSync(new URL('email.html', import.meta.url), 'utf8');
/** The look of a note, as mail clients without a dark mode show it. */
const SOFT = 'margin:0 0 16px;font-size:13px;line-height:20px;color:#5b6472';

/** @param mail.name as the user typed it; undefined greets nobody by name, since a stranger may have chosen it */
export function composeEmail({ kind, name, url, language }: Omit<WrittenMail, 'to' | 'expiresAt'>) {
  const { hello, noButton, links, notices, notice } = MAIL_TEXTS[language];
  const words = isNotice(kind) ? { ...notices[kind], ...notice } : links[kind];
  const notes = words.notes.map((note) => `<p class="soft" style="${SOFT}">${escapeHtml(note)}</p>`).join('\n');
  const greeting = name === undefined ? `${hello},` : `${hello} ${name},`;
  return {
    subject: words.subject,
    text: `${[greeting, words.lead, url, ...words.notes].join('\n\n')}\n\n-- \nVocabulary Quiz\n`,
    html: fillTemplate(TEMPLATE, { ...words, language, url, greeting, noButton, notes }),
  };
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** @returns the text, escaped for an element or a quoted attribute */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

/** @returns the HTML of a template, with the escaped value for each `{{name}}`; that for a `{{{name}}}` is HTML already */
export function fillTemplate(template: string, values: Record<string, unknown>): string {
  const fill = (_: string, html?: string, text = '') =>
    html ? String(values[html]) : escapeHtml(String(values[text] ?? ''));
  return template.replace(/\{\{\{(\w+)\}\}\}|\{\{(\w+)\}\}/g, fill);
}

export type Notice = keyof typeof en.notices;
export const NOTICES = Object.keys(en.notices) as Notice[];

export const isNotice = (kind: string): kind is Notice => Object.hasOwn(en.notices, kind);
