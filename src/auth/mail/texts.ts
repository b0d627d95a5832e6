// The texts of the account emails in the languages of the page, which are in a file for each language. [contract 25]
import type { PageLanguage } from '../../names/languages.ts';
import type { Notice } from './emails.ts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import es from './texts/es.json' with { type: 'json' };
import fr from './texts/fr.json' with { type: 'json' };
import it from './texts/it.json' with { type: 'json' };

export interface LinkTexts {
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

export const MAIL_TEXTS: Record<PageLanguage, MailTexts> = { en, de, fr, es, it };
