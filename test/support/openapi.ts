// The OpenAPI document of a running service, and its operations as a list.
import { beforeAll, expect } from 'vitest';
import { createHttpClient } from './http-client.ts';
import { type TestService, useService } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests check documents of any shape
export type Json = any;

export interface DescribedOperation {
  /** For example `GET /api/v1/lobbies/{code}`. */
  name: string;
  path: string;
  method: string;
  /** With the responses to which it refers. */
  operation: Json;
}

/** Starts a service for all tests of a file and reads its document in `beforeAll`. */
export function useOpenApi(): { service: TestService; document: Json; operations: DescribedOperation[] } {
  const { service } = useService({}, { hasWords: true });
  const document: Json = {};
  const operations: DescribedOperation[] = [];
  beforeAll(async () => {
    const { status, body } = await createHttpClient(service.url).get('/api/openapi.json');
    expect(status).toBe(200);
    Object.assign(document, body);
    const resolve = ({ $ref, ...inline }: Json) =>
      $ref ? document.components.responses[$ref.split('/').at(-1)] : inline;
    for (const [path, item] of Object.entries<Json>(document.paths))
      for (const [method, operation] of Object.entries<Json>(item)) {
        const responses = Object.entries<Json>(operation.responses).map(([status, one]) => [status, resolve(one)]);
        const resolved = { ...operation, responses: Object.fromEntries(responses) };
        operations.push({ name: `${method.toUpperCase()} ${path}`, path, method, operation: resolved });
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
