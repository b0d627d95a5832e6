// Finds the language of the page that a browser wants, for names and mails. [contract 22, 25]
import Negotiator from 'negotiator';
import { PAGE_LANGUAGES, type PageLanguage } from './languages.ts';

/** @returns the first language of the header that the page has, or else English; undefined without a header */
export function wantedLanguage(acceptLanguage: string | null | undefined): PageLanguage | undefined {
  if (!acceptLanguage) return undefined;
  const headers = { 'accept-language': acceptLanguage };
  return (new Negotiator({ headers }).language([...PAGE_LANGUAGES]) ?? 'en') as PageLanguage;
}
