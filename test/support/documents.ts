// Finds what the published API documents fail to describe.

interface Node {
  $ref?: string;
  description?: string;
  const?: unknown;
  properties?: Record<string, Node>;
}

/** @returns the paths of all schema fields in a document that have no description */
export function undescribedFields(document: { components: { schemas?: object } }): string[] {
  const schemas = (document.components.schemas ?? {}) as Record<string, Node>;
  const undescribed: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (node === null || typeof node !== 'object') return;
    for (const [name, field] of Object.entries((node as Node).properties ?? {})) {
      const named = schemas[field.$ref?.split('/').at(-1) ?? ''];
      // A constant says itself what it is, and the choices of a schema refer to its own fields by `true` and `false`.
      if (typeof field === 'boolean') continue;
      if (!field.description && !named?.description && field.const === undefined) undescribed.push(`${path}.${name}`);
    }
    for (const [key, child] of Object.entries(node))
      if (!['example', 'examples', 'value'].includes(key)) visit(child, `${path}/${key}`);
  };
  visit(document, '');
  return undescribed;
}
