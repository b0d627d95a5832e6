// Finds the language of the page that a browser wants, for names and mails. [contract 22, 25]
import Negotiator from 'negotiator';
import { PAGE_LANGUAGES, type PageLanguage } from './languages.ts';

/**
 * @param acceptLanguage the header of a request, which has the languages of the user's browser
 * @returns the first of them that the page has, or else English; undefined without a header
 */
export function wantedLanguage(acceptLanguage: string | null | undefined): PageLanguage | undefined {
  if (!acceptLanguage) return undefined;
  const headers = { 'accept-language': acceptLanguage };
  return (new Negotiator({ headers }).language([...PAGE_LANGUAGES]) ?? 'en') as PageLanguage;
}
