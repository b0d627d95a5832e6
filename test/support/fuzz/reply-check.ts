// Checks what holds for every reply to any request: it is no 5xx, a refusal has the published form, and the
// API document describes the rest. [contract 1, 17]
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { statusOf } from '../../../src/errors.ts';
import { Problem } from '../../../src/http/problems/problem-schema.ts';
import type { Operation } from './operations.ts';
import type { FuzzRequest, Reply } from './requests.ts';
import type { Json } from './schema-values.ts';

/** The codes of refusals that can come before the operation is reached. */
const EDGE_CODES = ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'];

/** The form of better-auth's own refusals. */
const AUTH_ERROR = { message: expect.any(String) };

/** @returns a function that throws if the service may not give such a reply, and returns the reply's body */
export function createReplyCheck(document: Json, operations: Operation[]) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const validators = new Map<string, ReturnType<typeof ajv.compile>>();

  function validatorOf(key: string, schema: Json) {
    const made = validators.get(key) ?? ajv.compile({ ...schema, components: document.components });
    validators.set(key, made);
    return made;
  }

  function checkDescribed({ name, responses }: Operation, { status, headers }: Reply, body: Json) {
    if (!responses || EDGE_CODES.includes(body?.code)) return;
    const response = responses[status];
    expect(response, `${name}: ${status} is not described`).toBeDefined();
    const type = String(headers['content-type']).split(';')[0] ?? '';
    const schema = response.content?.[type]?.schema;
    if (!schema || body === undefined) return;
    const validate = validatorOf(`${name} ${status} ${type}`, schema);
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
  }

  return (fuzzed: FuzzRequest, reply: Reply): Json => {
    const { status, headers, text } = reply;
    expect(status).toBeLessThan(500);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-request-id']).toMatch(/^[\w.-]{1,64}$/);
    if (/^\/api\/(v1|auth)\//.test(fuzzed.path)) expect(headers['cache-control']).toBe('no-store');
    // A compressed document is checked without its body.
    const isJson = /json/.test(headers['content-type'] ?? '') && !headers['content-encoding'];
    const body = isJson && text !== '' ? JSON.parse(text) : undefined;
    if (status >= 400 && fuzzed.method !== 'HEAD') checkRefusal(fuzzed, reply, body);
    const operation = byName.get(fuzzed.operation) as Operation;
    if (fuzzed.isDescribed) checkDescribed(operation, reply, body);
    return body;
  };
}

function checkRefusal({ path }: FuzzRequest, { status, headers }: Reply, body: Json): void {
  if (path.startsWith('/api/auth/') && !/problem/.test(headers['content-type'] ?? '')) {
    // Some undescribed endpoints of better-auth refuse without a body.
    if (body !== undefined) expect(body).toMatchObject(AUTH_ERROR);
    return;
  }
  expect(headers['content-type']).toMatch(/^application\/problem\+json/);
  const problem = Problem.strict().parse(body);
  expect(statusOf(problem.code)).toBe(status);
  expect(problem.status).toBe(status);
  expect(problem.requestId).toBe(headers['x-request-id']);
  if (problem.errors) expect(status).toBe(400);
}
