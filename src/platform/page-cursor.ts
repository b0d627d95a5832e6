// Cursors of lists that are read in pages. A cursor names the last item of a page by what the list is sorted by, so
// that items which are added or removed meanwhile shift no page. Clients get it as an opaque text.
import { z } from 'zod';

/** The longest text of a cursor, in UTF-16 units. The longest names fit. */
const TEXT_MAX = 2500;

type Parts = z.ZodTuple<readonly [z.ZodType<string | number>, ...z.ZodType<string | number>[]]>;

/** @param parts what the list is sorted by @param source how clients know the cursor, for the refusal of other texts */
export function createPageCursor<P extends Parts>(parts: P, source: string) {
  const toText = (cursor: z.output<P>): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');
  const schema = z
    .string()
    .max(TEXT_MAX)
    .transform((text, ctx): z.output<P> => {
      try {
        const cursor = parts.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
        if (toText(cursor) === text) return cursor;
      } catch {
        // A text that is no cursor at all is refused like one that this service has not written.
      }
      ctx.issues.push({ code: 'custom', message: `must be the ${source}`, input: text });
      return z.NEVER;
    });
  /** @returns the first `limit` of the items that were found, and the cursor's text where there are more */
  function toPage<Item>(found: readonly Item[], limit: number, cursorOf: (last: Item) => z.output<P>) {
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    return { items, next: last === undefined ? null : toText(cursorOf(last)) };
  }
  return { schema, field: schema.optional().describe('The `next` of the previous page.'), toText, toPage };
}

/** @returns the schema of how many items a page has at most: `byDefault` unless the request names a number up to `max` */
export function pageLimit(items: string, { max, byDefault }: { max: number; byDefault: number }) {
  return z.coerce.number<number>().int().min(1).max(max).default(byDefault).describe(`The most ${items} of the page.`);
}

/** A time as a cursor has it. PostgreSQL has no year 0, which ISO 8601 has. */
const Time = z.iso.datetime({ precision: 3 }).refine((text) => !/^0000/.test(text));

/** The cursor of a list that is sorted by a time, then by id. */
export const timeCursor = createPageCursor(z.tuple([Time, z.uuid()]), '`next` of a page');
export type TimeCursor = z.output<typeof timeCursor.schema>;
