// The limits of users' lists, for the service and the page. [contract 14]

/** The number of lists that a user may have. */
export const MAX_LISTS = 100;

export const LIST_TERMS = { min: 4, max: 2000 } as const;

/** The maximum lengths of texts, in code points. */
export const MAX_LENGTHS = {
  name: 80,
  sourceText: 120,
  targetText: 120,
  sourceGloss: 200,
} as const;

/** The maximum size of a list's body. A list of the longest terms fits. */
export const LIST_BODY_BYTES = 4 * 1024 * 1024;

/**
 * The bytes of lists that are being received or checked at a time. A request beyond the user's limit is
 * refused with 429, one beyond the replica's with 503. Checking takes up to three times as much memory.
 * [contract 17]
 */
export const LIST_BODIES_BYTES = { user: 8 * 1024 * 1024, replica: 32 * 1024 * 1024 } as const;

/** The quota of all lists of a user together, in bytes of terms as JSON. [contract 17] */
export const LISTS_BYTES = { account: 8 * 1024 * 1024, guest: 1024 * 1024 } as const;
