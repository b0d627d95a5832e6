// What is missing in the published descriptions.

interface Node {
  $ref?: string;
  description?: string;
  properties?: Record<string, Node>;
}

/** @returns the fields of all schemas in a document that nothing is said of */
export function silentFields(document: { components: { schemas?: object } }): string[] {
  const schemas = (document.components.schemas ?? {}) as Record<string, Node>;
  const silent: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (node === null || typeof node !== 'object') return;
    for (const [name, field] of Object.entries((node as Node).properties ?? {})) {
      const named = schemas[field.$ref?.split('/').at(-1) ?? ''];
      if (!field.description && !named?.description) silent.push(`${path}.${name}`);
    }
    for (const [key, child] of Object.entries(node))
      if (!['example', 'examples', 'value'].includes(key)) visit(child, `${path}/${key}`);
  };
  visit(document, '');
  return silent;
}
