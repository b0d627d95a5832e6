// The languages of the page, in which the service writes to people. [contract 22, 25]
import Negotiator from 'negotiator';

/** English comes first, for everybody who wants none of them. */
export const PAGE_LANGUAGES = ['en', 'de', 'fr', 'es', 'it'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** @returns the first language of the header that the page has, or else English; undefined without a header */
export function wantedLanguage(acceptLanguage: string | null | undefined): PageLanguage | undefined {
  if (!acceptLanguage) return undefined;
  const headers = { 'accept-language': acceptLanguage };
  return (new Negotiator({ headers }).language([...PAGE_LANGUAGES]) ?? 'en') as PageLanguage;
}
