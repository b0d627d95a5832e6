// The service publishes a complete OpenAPI document of itself. [contract 7]
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AUTH_PATHS } from '../../src/docs/auth-paths.ts';
import { Problem } from '../../src/http/problems/problem-schema.ts';
import { undescribedFields } from '../support/documents.ts';
import { type Json, useOpenApi } from '../support/openapi.ts';

const { service, document, operations } = useOpenApi();

/** Calls `visit` with every object in `value`. */
function walk(value: Json, visit: (node: Json) => void): void {
  if (value === null || typeof value !== 'object') return;
  visit(value);
  for (const child of Object.values(value)) walk(child, visit);
}

describe('[contract 7] GET /api/openapi.json', () => {
  it('is sent compressed, and as 304 to a client that has it', async () => {
    const { url } = service;
    for (const path of ['/api/openapi.json', '/api/asyncapi.json']) {
      const { headers } = await fetch(url + path, { headers: { 'accept-encoding': 'br' } });
      expect(headers.get('content-encoding')).toBe('br');
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      const known = { 'if-none-match': headers.get('etag') ?? '' };
      expect((await fetch(url + path, { headers: known })).status).toBe(304);
    }
  });

  it('describes every field and parameter', () => {
    expect(undescribedFields(document)).toEqual([]);
    const undescribed = operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? [])
        .filter((parameter: Json) => !parameter.description)
        .map((parameter: Json) => `${name} ${parameter.name}`),
    );
    expect(undescribed).toEqual([]);
  });

  it('has an example of every response and code samples for every operation', () => {
    const withoutExample = operations.flatMap(({ name, operation }) =>
      Object.entries<Json>(operation.responses).flatMap(([status, response]) =>
        Object.values<Json>(response.content ?? {})
          .filter((media) => media.example === undefined && !media.examples)
          .map(() => `${name} ${status}`),
      ),
    );
    expect(withoutExample).toEqual([]);
    for (const { name, path, operation } of operations) {
      const labels = operation['x-codeSamples'].map(({ label }: Json) => label);
      const isOfTheService = path.startsWith('/api/v1/');
      expect(labels, name).toEqual(isOfTheService ? ['curl', 'Client library'] : ['curl']);
    }
  });

  it('is an OpenAPI 3.1 document', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: service.config.version });
    const known = ['openapi', 'info', 'servers', 'paths', 'components', 'security', 'tags'];
    expect(Object.keys(document).filter((key) => !known.includes(key))).toEqual([]);
    for (const kind of Object.keys(document.components))
      for (const name of Object.keys(document.components[kind])) expect(name).toMatch(/^[\w.-]+$/);
  });

  it('describes every operation of the contract', () => {
    const names = operations.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'GET /api/health',
        'GET /api/health/live',
        'GET /api/health/ready',
        'GET /api/openapi.json',
        'POST /api/v1/game/start',
        'POST /api/v1/game/answer',
        'GET /api/v1/vocabulary',
        'POST /api/v1/lobbies',
        'POST /api/v1/lobbies/{code}/join',
        'GET /api/v1/lobbies',
        'GET /api/v1/lobbies/{code}',
        'GET /api/v1/games/{gameId}',
        'GET /api/v1/games',
        'GET /api/v1/progress',
        'GET /api/v1/words',
        'PUT /api/v1/words/{wordId}/suspension',
        'DELETE /api/v1/words/{wordId}/suspension',
        'GET /api/v1/account/export',
        'GET /api/v1/invitations/{code}',
        'POST /api/v1/assignments',
        'GET /api/v1/assignments',
        'GET /api/v1/assignments/{code}',
        'PATCH /api/v1/assignments/{code}',
        'DELETE /api/v1/assignments/{code}',
        'DELETE /api/v1/assignments/{code}/people',
        'DELETE /api/v1/assignments/{code}/people/{userId}',
        'POST /api/v1/assignments/{code}/start',
        'GET /api/v1/assignments/{code}/results',
        'POST /api/auth/sign-up/email',
        'POST /api/auth/sign-in/email',
        'POST /api/auth/sign-in/social',
        'POST /api/auth/sign-out',
        'GET /api/auth/get-session',
        'GET /api/auth/verify-email',
        'POST /api/auth/request-password-reset',
        'POST /api/auth/reset-password',
        'GET /api/auth/callback/{provider}',
      ]),
    );
  });

  it('describes only what is served', () => {
    const own = operations.filter(({ path }) => !(path in AUTH_PATHS));
    for (const { path, method, name } of own) {
      const url = path.replace(/\{(\w+)\}/g, ':$1');
      expect(service.app.hasRoute({ method: method.toUpperCase() as 'GET', url }), name).toBe(true);
    }
    const endpoints = Object.values<{ path?: string }>(service.services.auth.api);
    const served = endpoints.map(({ path }) => path?.replace('/callback/:id', '/callback/:provider'));
    for (const path of Object.keys(AUTH_PATHS))
      expect(served).toContain(path.replace('/api/auth', '').replace(/\{(\w+)\}/g, ':$1'));
  });

  it('gives every operation a summary, a tag and its security', () => {
    const tags = document.tags.map(({ name }: Json) => name);
    for (const { name, path, operation } of operations) {
      expect(operation.summary, name).toEqual(expect.any(String));
      expect(tags, name).toContain(operation.tags[0]);
      const security = operation.security ?? document.security;
      const needsSession = path.startsWith('/api/v1/') && path !== '/api/v1/invitations/{code}';
      expect(security, name).toEqual(needsSession ? [{ session: [] }] : []);
    }
    const ids = operations.map(({ operation }) => operation.operationId).filter(Boolean);
    expect(new Set(ids).size).toBe(ids.length);
    expect(document.components.securitySchemes.session).toMatchObject({ type: 'apiKey', in: 'cookie' });
  });

  it('has no $ref that leads nowhere and no unused component', () => {
    const references = new Set<string>();
    walk(document, ({ $ref }) => typeof $ref === 'string' && references.add($ref));
    for (const reference of references) {
      const [root, ...path] = reference.split('/');
      expect(root).toBe('#');
      expect(
        path.reduce((node, key) => node?.[key], document),
        reference,
      ).toBeDefined();
    }
    for (const kind of ['schemas', 'examples'])
      for (const name of Object.keys(document.components[kind]))
        expect(references).toContain(`#/components/${kind}/${name}`);
  });

  it('declares each parameter of a path, and JSON as the media type of each body', () => {
    for (const { name, path, operation } of operations) {
      const declared = (operation.parameters ?? []).filter((one: Json) => one.in === 'path');
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      expect(declared.map((one: Json) => one.name).sort(), name).toEqual(wanted.sort());
      for (const one of operation.parameters ?? []) {
        expect(one.schema, name).toBeDefined();
        if (one.in === 'path') expect(one.required, name).toBe(true);
      }
      if (operation.requestBody) expect(operation.requestBody.content['application/json'], name).toBeDefined();
      for (const response of Object.values<Json>(operation.responses))
        expect(response.description, name).toEqual(expect.any(String));
    }
  });

  it('requires a body exactly where one of its fields is required', () => {
    const required = operations
      .filter(({ path, operation }) => path.startsWith('/api/v1/') && operation.requestBody?.required)
      .map(({ name }) => name);
    expect(required.sort()).toEqual([
      'POST /api/v1/assignments',
      'POST /api/v1/game/answer',
      'POST /api/v1/lists',
      'PUT /api/v1/lists/{listId}',
    ]);
  });
});

describe('an example', () => {
  it('of a problem is a valid problem', () => {
    const examples = Object.values<Json>(document.components.examples);
    expect(examples.length).toBeGreaterThan(15);
    for (const { value } of examples) expect(Problem.strict().safeParse(value).error).toBeUndefined();
  });

  it('of a schema is valid by that schema', () => {
    let count = 0;
    for (const schema of z.globalRegistry._idmap.values()) {
      const { examples = [], id } = z.globalRegistry.get(schema) ?? {};
      for (const example of examples as unknown[]) {
        count++;
        expect(z.safeParse(schema, example).error?.issues, id).toBeUndefined();
      }
    }
    expect(count).toBeGreaterThan(5);
  });

  it('exists for every schema of a request or response under /api/v1', () => {
    const named = operations
      .filter(({ path }) => path.startsWith('/api/v1/'))
      .flatMap(({ operation }) => [operation.requestBody, operation.responses[200], operation.responses[201]])
      .map((part) => part?.content['application/json'].schema.$ref?.split('/').at(-1))
      .filter(Boolean);
    expect(named).toContain('GameSession');
    for (const name of named) expect(document.components.schemas[name].examples?.length, name).toBeGreaterThan(0);
  });
});
