// Writes a JSON text in parts, so that a large one is never whole in memory. A field's value may come in parts too.

/** @returns an array whose items come in pages */
export async function* arrayOf(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let opening = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield opening + JSON.stringify(page).slice(1, -1);
    opening = ',';
  }
  yield opening === '[' ? '[]' : ']';
}

/** @returns an array whose items are JSON texts, each in parts */
export async function* arrayOfTexts(
  items: AsyncIterable<AsyncIterable<string> | readonly string[]>,
): AsyncGenerator<string> {
  let opening = '[';
  for await (const item of items) {
    yield opening;
    yield* item;
    opening = ',';
  }
  yield opening === '[' ? '[]' : ']';
}

/** @param others by name, the texts of the fields that follow those of `plain`, each in parts */
export async function* objectOf(plain: object, others: Record<string, AsyncIterable<string>>): AsyncGenerator<string> {
  let opening = JSON.stringify(plain).slice(0, -1);
  for (const [name, parts] of Object.entries(others)) {
    yield `${opening}${opening === '{' ? '' : ','}${JSON.stringify(name)}:`;
    yield* parts;
    opening = '';
  }
  yield `${opening}}`;
}
