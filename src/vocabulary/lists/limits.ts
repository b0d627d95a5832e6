// The limits of users' lists, for the service and the page. [contract 14]

export const LIST_TERMS = { min: 4, max: 2000 } as const;

/** The maximum lengths of texts, in code points. */
export const MAX_LENGTHS = {
  name: 80,
  sourceText: 120,
  targetText: 120,
  sourceGloss: 200,
} as const;
