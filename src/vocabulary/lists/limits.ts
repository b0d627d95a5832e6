// The limits of users' lists, for the service and the page. [contract 14]

/** A list of fewer than four terms can be asked only where answers are typed. */
export const LIST_TERMS = { min: 1, max: 2000 } as const;

/** The maximum lengths of texts, in code points. */
export const MAX_LENGTHS = { name: 80, sourceText: 120, targetText: 120, sourceGloss: 200 } as const;
