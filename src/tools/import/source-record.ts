// A record of a file that is imported, as every format's reader yields it.

/** A record's place, and its fields or the reason why they can't be read. */
export type SourceRecord = { line: number; file?: string } & ({ fields: unknown } | { problem: string });

/** The same, or the reason why the record isn't wanted, for example another language. */
export type ReadRecord = SourceRecord | { line: number; file?: string; skipped: string };
