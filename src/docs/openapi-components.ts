// Tidies the named components of the published API description for its readers, and for tools that derive
// type names from them: unused ones are removed, and duplicates are merged.

type Parts = Record<string, unknown>;

/** The components of a document that this file changes. */
export interface Components {
  components: Record<'schemas' | 'examples', Parts>;
}

/** @returns the document without unused components, and with the plain name of each */
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
 * Merges duplicates. zod describes every named schema twice: `Lobby` as a response has it, and `LobbyInput` as a
 * request may have it. Where both are equal, or only the second is used, it becomes `Lobby`.
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
    // A schema that refers to the renamed one may equal its own plain counterpart now.
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
