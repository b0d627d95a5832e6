// Reads rows in pages, so that memory doesn't grow with their number, and no connection is held between two pages.

/**
 * @param limit the number of rows that `read` returns at most
 * @param read returns the rows that follow `after`, or the first ones, in an order that doesn't change
 * @returns the pages, none of which is empty
 */
export async function* inPages<Row>(
  limit: number,
  read: (after: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after: Row | undefined; ; ) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    after = rows.at(-1);
  }
}
