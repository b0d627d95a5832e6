// Counts with a noun in the singular or the plural.

export const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** French uses the singular for 0, too. */
export const frenchPlural = (count: number, one: string, many: string) => `${count} ${count < 2 ? one : many}`;
