// The languages of the page, in which the service writes to people. [contract 22, 25]

/** English comes first, for everybody who wants none of them. */
export const PAGE_LANGUAGES = ['en', 'de', 'fr', 'es', 'it'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];
