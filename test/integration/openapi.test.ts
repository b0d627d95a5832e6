import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ErrorCode, statusOf } from '../../src/errors.ts';
import { AUTH_PATHS } from '../../src/http/documents/auth-paths.ts';
import { Problem } from '../../src/http/problems/problem-schema.ts';
import { silentFields } from '../support/documents.ts';
import { createHttpClient } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is what is tested
type Json = any;

let document: Json;
let operations: { name: string; path: string; method: string; operation: Json }[];

const { service } = useService();
beforeAll(async () => {
  const answer = await createHttpClient(service.url).get('/api/openapi.json');
  expect(answer.status).toBe(200);
  document = answer.body;
  operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
    })),
  );
});

const operationOf = (name: string) =>
  operations.find((one) => one.name === name)?.operation ?? expect.fail(`${name} is not described`);

/** Calls `visit` with every object in `value`. */
function walk(value: Json, visit: (node: Json) => void): void {
  if (value === null || typeof value !== 'object') return;
  visit(value);
  for (const child of Object.values(value)) walk(child, visit);
}

describe('[contract 7] GET /api/openapi.json', () => {
  it('comes compressed, and not at all to who has it', async () => {
    const { url } = service;
    for (const path of ['/api/openapi.json', '/api/asyncapi.json']) {
      const { headers } = await fetch(url + path, { headers: { 'accept-encoding': 'br' } });
      expect(headers.get('content-encoding')).toBe('br');
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      const known = { 'if-none-match': headers.get('etag') ?? '' };
      expect((await fetch(url + path, { headers: known })).status).toBe(304);
    }
  });

  it('says of every field and parameter what it means', () => {
    expect(silentFields(document)).toEqual([]);
    const silent = operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? [])
        .filter((parameter: Json) => !parameter.description)
        .map((parameter: Json) => `${name} ${parameter.name}`),
    );
    expect(silent).toEqual([]);
  });

  it('shows what every answer looks like, and how every operation is called', () => {
    const bare = operations.flatMap(({ name, operation }) =>
      Object.entries<Json>(operation.responses).flatMap(([status, response]) =>
        Object.values<Json>(response.content ?? {})
          .filter((media) => media.example === undefined && !media.examples)
          .map(() => `${name} ${status}`),
      ),
    );
    expect(bare).toEqual([]);
    for (const { name, path, operation } of operations) {
      const labels = operation['x-codeSamples'].map(({ label }: Json) => label);
      const isOfTheService = path.startsWith('/api/v1/');
      expect(labels, name).toEqual(isOfTheService ? ['curl', 'Client library'] : ['curl']);
    }
  });

  it('is an OpenAPI 3.1 document', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({
      title: expect.any(String),
      version: service.config.version,
    });
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
        'GET /api/v1/lobbies/{code}',
        'GET /api/v1/games/{gameId}',
        'GET /api/v1/games',
        'GET /api/v1/progress',
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
    const served = endpoints.map(({ path }) =>
      path?.replace('/callback/:id', '/callback/:provider'),
    );
    for (const path of Object.keys(AUTH_PATHS))
      expect(served).toContain(path.replace('/api/auth', '').replace(/\{(\w+)\}/g, ':$1'));
  });

  it('says of every operation what it does, where it belongs, and who may call it', () => {
    const tags = document.tags.map(({ name }: Json) => name);
    for (const { name, path, operation } of operations) {
      expect(operation.summary, name).toEqual(expect.any(String));
      expect(tags, name).toContain(operation.tags[0]);
      const security = operation.security ?? document.security;
      expect(security, name).toEqual(path.startsWith('/api/v1/') ? [{ session: [] }] : []);
    }
    const ids = operations.map(({ operation }) => operation.operationId).filter(Boolean);
    expect(new Set(ids).size).toBe(ids.length);
    expect(document.components.securitySchemes.session).toMatchObject({
      type: 'apiKey',
      in: 'cookie',
    });
  });

  it('every $ref resolves, and no named part is unused', () => {
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

  it('declares each parameter of a path, and a media type for each body', () => {
    for (const { name, path, operation } of operations) {
      const declared = (operation.parameters ?? []).filter((one: Json) => one.in === 'path');
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      expect(declared.map((one: Json) => one.name).sort(), name).toEqual(wanted.sort());
      for (const one of operation.parameters ?? []) {
        expect(one.schema, name).toBeDefined();
        if (one.in === 'path') expect(one.required, name).toBe(true);
      }
      if (operation.requestBody)
        expect(operation.requestBody.content['application/json'], name).toBeDefined();
      for (const response of Object.values<Json>(operation.responses))
        expect(response.description, name).toEqual(expect.any(String));
    }
  });
});

describe('the refusals that are described', () => {
  /** @returns the codes that an operation names, by status, and checks their shape */
  function codesOf(name: string): Record<string, ErrorCode[]> {
    const refusals = Object.entries<Json>(operationOf(name).responses).filter(
      ([status]) => status >= '400',
    );
    return Object.fromEntries(
      refusals.map(([status, response]) => {
        const { schema, examples } = response.content['application/problem+json'];
        expect(schema.allOf).toEqual([{ $ref: '#/components/schemas/Problem' }]);
        const codes: ErrorCode[] = schema.properties.code.enum;
        expect(codes.map(statusOf), `${name} ${codes}`).toEqual(codes.map(() => Number(status)));
        expect(Object.keys(examples)).toEqual(codes);
        return [status, [...codes].sort()];
      }),
    );
  }
  const guarded = {
    401: ['UNAUTHENTICATED'],
    429: ['RATE_LIMITED'],
    500: ['INTERNAL_ERROR'],
    503: ['UNAVAILABLE'],
  };
  const withBody = {
    ...guarded,
    403: ['FORBIDDEN_ORIGIN'],
    400: ['INVALID_JSON', 'VALIDATION_FAILED'],
    413: ['PAYLOAD_TOO_LARGE'],
    415: ['UNSUPPORTED_MEDIA_TYPE'],
  };

  it.each([
    [
      'POST /api/v1/game/start',
      {
        ...withBody,
        404: ['LIST_NOT_FOUND'],
        422: ['NOT_ENOUGH_DISTRACTORS', 'NOT_ENOUGH_TERMS', 'NO_MATCHING_TERMS'],
      },
    ],
    [
      'POST /api/v1/game/answer',
      {
        ...withBody,
        403: ['FORBIDDEN_ORIGIN', 'SESSION_FORBIDDEN'],
        404: ['QUESTION_NOT_FOUND', 'SESSION_NOT_FOUND'],
        409: ['QUESTION_ALREADY_ANSWERED'],
      },
    ],
    ['GET /api/v1/vocabulary', guarded],
    ['GET /api/v1/lists', guarded],
    ['POST /api/v1/lists', { ...withBody, 409: ['TOO_MANY_LISTS'] }],
    ['PUT /api/v1/lists/{listId}', { ...withBody, 404: ['LIST_NOT_FOUND'] }],
    // A body that it doesn't ask for is read all the same.
    ['DELETE /api/v1/lists/{listId}', { ...withBody, 404: ['LIST_NOT_FOUND'] }],
    ['POST /api/v1/lobbies', { ...withBody, 404: ['LIST_NOT_FOUND'] }],
    [
      'POST /api/v1/lobbies/{code}/join',
      {
        ...withBody,
        ...{ 403: ['FORBIDDEN_ORIGIN', 'KICKED'], 404: ['LOBBY_NOT_FOUND'] },
        409: ['LOBBY_FULL', 'LOBBY_LOCKED', 'LOBBY_NOT_WAITING'],
      },
    ],
    [
      'GET /api/v1/lobbies/{code}',
      { ...guarded, 400: ['VALIDATION_FAILED'], 403: ['NOT_A_MEMBER'], 404: ['LOBBY_NOT_FOUND'] },
    ],
    ['GET /api/v1/games', { ...guarded, 400: ['VALIDATION_FAILED'] }],
    ['GET /api/v1/progress/calendar', { ...guarded, 400: ['VALIDATION_FAILED'] }],
    ['GET /api/v1/progress', { ...guarded, 400: ['VALIDATION_FAILED'] }],
    [
      'GET /api/v1/games/{gameId}',
      { ...guarded, 400: ['VALIDATION_FAILED'], 404: ['GAME_NOT_FOUND'] },
    ],
  ] as [string, Record<string, string[]>][])('%s: exactly those of the contract', (name, codes) => {
    expect(codesOf(name)).toEqual(codes);
  });

  it('a body is required where a field is, and only there', () => {
    const required = operations
      .filter(
        ({ path, operation }) => path.startsWith('/api/v1/') && operation.requestBody?.required,
      )
      .map(({ name }) => name);
    expect(required.sort()).toEqual([
      'POST /api/v1/game/answer',
      'POST /api/v1/lists',
      'PUT /api/v1/lists/{listId}',
    ]);
  });
});

describe('examples', () => {
  it('of problems are problems', () => {
    const examples = Object.values<Json>(document.components.examples);
    expect(examples.length).toBeGreaterThan(15);
    for (const { value } of examples)
      expect(Problem.strict().safeParse(value).error).toBeUndefined();
  });

  it('of schemas fit their schemas', () => {
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

  it('each answer and each body that is an object of ours has one', () => {
    const named = operations
      .filter(({ path }) => path.startsWith('/api/v1/'))
      .flatMap(({ operation }) => [
        operation.requestBody,
        operation.responses[200],
        operation.responses[201],
      ])
      .map((part) => part?.content['application/json'].schema.$ref?.split('/').at(-1))
      .filter(Boolean);
    expect(named).toContain('GameSession');
    for (const name of named)
      expect(document.components.schemas[name].examples?.length, name).toBeGreaterThan(0);
  });
});
