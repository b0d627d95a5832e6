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
  const { service } = useService();
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
