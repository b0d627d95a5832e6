// Tidies the named parts of the published API description for the people who read it and the tools
// that name types after them.

type Parts = Record<string, unknown>;

/** The parts of a document that this works on. */
export interface Components {
  components: Record<'schemas' | 'examples', Parts>;
}

/** @returns the document with only the parts that it uses, each under its plainest name */
export function tidyComponents<Document extends Components>(document: Document): Document {
  const used = dropUnused(dropUnused(document, 'schemas'), 'examples');
  return dropUnused(plainNames(used), 'schemas');
}

function dropUnused<Document extends Components>(document: Document, kind: 'schemas' | 'examples') {
  const parts = document.components[kind];
  for (;;) {
    const text = JSON.stringify(document);
    const unused = Object.keys(parts).filter((name) => !text.includes(reference(kind, name)));
    if (unused.length === 0) return document;
    for (const name of unused) delete parts[name];
  }
}

/**
 * zod describes every named schema twice: `Lobby` as it is answered, `LobbyInput` as it may be sent.
 * Where both are the same, or only one is used, there is one.
 */
function plainNames<Document extends Components>(document: Document): Document {
  const { schemas } = document.components;
  for (const name of Object.keys(schemas).filter((name) => name.endsWith('Input'))) {
    const plain = name.slice(0, -'Input'.length);
    if (plain in schemas && !isEqual(schemas[plain], schemas[name])) continue;
    schemas[plain] = schemas[name];
    const text = JSON.stringify(document);
    const renamed = text.replaceAll(reference('schemas', name), reference('schemas', plain));
    const next = JSON.parse(renamed) as Document;
    delete next.components.schemas[name];
    // What refers to it may be the same as its own plain twin now.
    return plainNames(next);
  }
  return document;
}

function reference(kind: string, name: string): string {
  return `"#/components/${kind}/${name}"`;
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
