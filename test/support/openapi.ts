// The OpenAPI document of a running service, and its operations as a list.
import { beforeAll, expect } from 'vitest';
import { type Json, resolve } from './fuzz/schema-values.ts';
import { createHttpClient } from './http-client.ts';
import { useService } from './service.ts';

/** Starts a service for all tests of a file and reads its document in `beforeAll`. */
export function useOpenApi() {
  const { service } = useService({}, { hasWords: true });
  const document: Json = {};
  /** Each with the responses to which it refers; the name is such as `GET /api/v1/lobbies/{code}`. */
  const operations: { name: string; path: string; method: string; operation: Json }[] = [];
  beforeAll(async () => {
    const { status, body } = await createHttpClient(service.url).get('/api/openapi.json');
    expect(status).toBe(200);
    Object.assign(document, body);
    for (const [path, item] of Object.entries<Json>(structuredClone(document.paths)))
      for (const [method, operation] of Object.entries<Json>(item)) {
        for (const [code, { $ref }] of Object.entries<Json>(operation.responses))
          if ($ref) operation.responses[code] = resolve(document, $ref);
        operations.push({ name: `${method.toUpperCase()} ${path}`, path, method, operation });
      }
  });
  return { service, document, operations };
}

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
