// How much a list of one's own can hold: what the service takes, and the page asks for. [contract 14]

/** How many lists a user may have. */
export const MAX_LISTS = 100;

export const LIST_TERMS = { min: 4, max: 2000 } as const;

/** The longest texts, in characters. */
export const MAX_LENGTHS = {
  name: 80,
  sourceText: 120,
  targetText: 120,
  sourceGloss: 200,
} as const;

/** What fits a list of the longest terms. */
export const LIST_BODY_BYTES = 4 * 1024 * 1024;
