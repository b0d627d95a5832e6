// Sends a reply while it is made, so that a large one is never whole in memory.
import { Readable } from 'node:stream';

/**
 * Makes the first part before the reply begins: a failure until then is answered by an error. A failure after that
 * ends the connection, so that no client takes a part for the whole.
 * @param parts the texts of the reply
 */
export async function streamed(parts: AsyncGenerator<string>): Promise<Readable> {
  const first = await parts.next();
  return Readable.from(
    (async function* () {
      if (!first.done) yield first.value;
      yield* parts;
    })(),
  );
}
