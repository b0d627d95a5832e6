// Arrays of UUIDs as PostgreSQL sends and takes them itself: to read many from a text costs it as much as to
// look them up. (array_recv in its src/backend/utils/adt/arrayfuncs.c)

/** Of the type `uuid`. */
const UUID_OID = 2950;
/** Its length, and the UUID. */
const ELEMENT_BYTES = 4 + 16;

/** @returns UUIDs as an array has them, each as long as the others */
export function uuidElements(uuids: readonly string[]): Buffer {
  return Buffer.from(uuids.map((id) => `00000010${id.replaceAll('-', '')}`).join(''), 'hex');
}

/** @returns those from one place on; after the last one comes the first */
export function someElements(elements: Buffer, start: number, count: number): Buffer[] {
  const [from, to] = [start * ELEMENT_BYTES, (start + count) * ELEMENT_BYTES];
  return [elements.subarray(from, to), elements.subarray(0, Math.max(0, to - elements.length))];
}

/** @returns a value for a parameter of the type `uuid[]` */
export function uuidArray(elements: readonly Buffer[]): Buffer {
  const bytes = elements.reduce((sum, { length }) => sum + length, 0);
  const head = Buffer.alloc(5 * 4);
  // One dimension, no nulls, of what, how many, and that the first one's number is 1.
  for (const [at, number] of [1, 0, UUID_OID, bytes / ELEMENT_BYTES, 1].entries())
    head.writeInt32BE(number, 4 * at);
  return Buffer.concat([head, ...elements]);
}
