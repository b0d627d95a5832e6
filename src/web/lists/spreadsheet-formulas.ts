// The apostrophes that keep a spreadsheet from running a cell as a formula. Pure. [contract 13, 22]

/** Matches the positions at which a formula would begin, also in a spreadsheet that splits a line at semicolons. */
export const BEFORE_FORMULA = /(?<=^|;)(?=[=+\-@])/g;

/** Matches the apostrophes that were put there. */
export const GUARDED = /(?<=^|;)'(?=[=+\-@])/g;
