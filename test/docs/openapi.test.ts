// The service publishes a complete OpenAPI document of itself. [contract 7]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { AUTH_OPERATIONS } from '../../src/docs/auth-operations.ts';
import { exampleOf } from '../../src/docs/json-schema.ts';
import { type ErrorCode, statusOf } from '../../src/errors.ts';
import { Problem } from '../../src/http/problems/problem-schema.ts';
import { OPERATIONS } from '../../src/operations.ts';
import type { Json } from '../support/fuzz/schema-values.ts';
import { createHttpClient } from '../support/http-client.ts';
import { undescribedFields, useOpenApi } from '../support/openapi.ts';
import { createPerson } from '../support/users.ts';

const { service, document, operations } = useOpenApi();

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
    for (const { name, operation } of operations)
      for (const parameter of operation.parameters ?? [])
        expect(parameter.description, `${name} ${parameter.name}`).toBeTruthy();
  });

  it('has an example of every response and code samples for every operation', () => {
    for (const { name, path, operation } of operations) {
      for (const [status, response] of Object.entries<Json>(operation.responses))
        for (const media of Object.values<Json>(response.content ?? {}))
          expect(media.example ?? media.examples, `${name} ${status}`).toBeDefined();
      const labels = operation['x-codeSamples'].map(({ label }: Json) => label);
      const isOfTheService = path.startsWith('/api/v1/') && !path.endsWith('/events');
      expect(labels, name).toEqual(isOfTheService ? ['curl', 'Client library'] : ['curl']);
    }
  });

  it('describes every operation, each of which is in the contract', () => {
    const contract = readFileSync(new URL('../../src/contract.md', import.meta.url), 'utf8');
    const described = new Map(operations.map(({ name, operation }) => [name, operation.operationId]));
    expect(OPERATIONS.length).toBeGreaterThan(30);
    // This service has no guests.
    for (const { id, method, path } of OPERATIONS.filter(({ limit }) => limit !== 'guest')) {
      expect(described.get(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`), path).toBe(id);
      expect(contract).toContain(path);
    }
    for (const path of ['/api/health', '/api/health/live', '/api/health/ready', '/api/openapi.json'])
      expect(described.has(`GET ${path}`), path).toBe(true);
  });

  it('describes only what is served', () => {
    const own = operations.filter(({ path }) => !path.startsWith('/api/auth/'));
    for (const { path, method, name } of own) {
      const url = path.replace(/\{(\w+)\}/g, ':$1');
      expect(service.app.hasRoute({ method: method.toUpperCase() as 'GET', url }), name).toBe(true);
    }
    const endpoints = Object.values<{ path?: string }>(service.services.auth.api);
    const served = endpoints.map(({ path }) => path?.replace('/callback/:id', '/callback/:provider'));
    for (const { path } of AUTH_OPERATIONS) expect(served).toContain(path.replace('/api/auth', ''));
  });

  it('gives every operation a summary, a tag and its security', () => {
    const forUsers = [...OPERATIONS, ...AUTH_OPERATIONS].filter(({ access }) => access === 'user');
    const FOR_USERS = forUsers.map(({ id }) => id);
    const tags = document.tags.map(({ name }: Json) => name);
    for (const { name, operation } of operations) {
      expect(operation.summary, name).toEqual(expect.any(String));
      expect(tags, name).toContain(operation.tags[0]);
      const security = operation.security ?? document.security;
      const isGuarded = FOR_USERS.includes(operation.operationId);
      expect(security, name).toEqual(isGuarded ? [{ session: [] }] : []);
    }
    const open = OPERATIONS.filter(({ access }) => access === 'anyone').map(({ id }) => id);
    expect(open).toEqual(['createGuest', 'getInvitation']);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(document.components.securitySchemes.session).toMatchObject({ type: 'apiKey', in: 'cookie' });
  });

  it('asks for a session exactly where an operation of authentication is 401 without one', async () => {
    const client = createHttpClient(service.url);
    for (const { id, access, method, path, body } of AUTH_OPERATIONS) {
      const headers = { 'content-type': 'application/json' };
      const json = body ? JSON.stringify(exampleOf({}, z.toJSONSchema(body, { io: 'input' }))) : null;
      const { status, body: refusal } = await client.request(method, path, { headers, body: json });
      // better-auth validates a few bodies and queries first.
      if (refusal?.code === 'VALIDATION_ERROR') continue;
      expect(status === 401 && refusal.code === 'UNAUTHORIZED', id).toBe(access === 'user');
    }
  });

  it('is a valid document by the recommended rules of Redocly, and so is the description of the socket', async () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info.version).toBe(service.config.version);
    const folder = mkdtempSync(join(inject('temporaryFolder'), 'lint-'));
    const problems: string[] = [];
    for (const name of ['openapi', 'asyncapi']) {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, await (await fetch(`${service.url}/api/${name}.json`)).text());
      const args = ['lint', '--extends=recommended', '--format=json', file];
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const { stdout } = spawnSync('node_modules/.bin/redocly', args, { env, encoding: 'utf8' });
      for (const { ruleId, location } of JSON.parse(stdout).problems)
        problems.push(`${ruleId} ${location[0].pointer.split('~1').at(-1)}`);
    }
    // Two operations of authentication only redirect.
    expect(problems.sort()).toEqual([
      'operation-2xx-response {provider}/get/responses',
      'operation-2xx-response {token}/get/responses',
    ]);
  });

  it('describes exactly the refusals of each operation, by status, each with an example', () => {
    for (const { id, method, access, refusals = [] } of OPERATIONS) {
      const described = operations.find(({ operation }) => operation.operationId === id)?.operation;
      // This service has no guests.
      if (!described) continue;
      const refused = Object.entries<Json>(described.responses).filter(([status]) => status >= '400');
      const codes = refused.flatMap(([status, response]) => {
        const { schema, examples } = response.content['application/problem+json'];
        expect(schema.allOf).toEqual([{ $ref: '#/components/schemas/Problem' }]);
        const ofStatus: ErrorCode[] = schema.properties.code.enum;
        expect(ofStatus.map(statusOf), id).toEqual(ofStatus.map(() => Number(status)));
        expect(Object.keys(examples)).toEqual(ofStatus);
        return ofStatus;
      });
      const always = 'VALIDATION_FAILED RATE_LIMITED INTERNAL_ERROR UNAVAILABLE UNAUTHENTICATED';
      const ofBodies = 'FORBIDDEN_ORIGIN INVALID_JSON REQUEST_TIMEOUT PAYLOAD_TOO_LARGE UNSUPPORTED_MEDIA_TYPE';
      const common = method === 'GET' ? always : `${always} ${ofBodies}`;
      expect(codes.sort(), `${id} ${access}`).toEqual([...new Set([...refusals, ...common.split(' ')])].sort());
    }
  });

  it('names what a 201 has created in Location, as the service does', async () => {
    const { client } = await createPerson(service);
    const creating = operations.filter(({ operation }) => operation.responses[201]?.headers.location);
    expect(creating.map(({ path }) => path).sort()).toEqual(
      OPERATIONS.flatMap(({ location, path }) => (location ? [path] : [])).sort(),
    );
    for (const { name, path, operation } of creating) {
      const { schema } = operation.requestBody.content['application/json'];
      const { status, headers, body } = await client.post(path, exampleOf(document.components.schemas, schema));
      expect(status, name).toBe(201);
      const created = await client.get(headers.get('location') ?? '');
      const [id = ''] = Object.keys(body);
      expect([created.status, created.body], name).toMatchObject([200, { [id]: body[id] }]);
    }
  });

  it('leaves replies open, closes requests, and names each refusal once', () => {
    const { schemas } = document.components;
    expect(schemas.Lobby.additionalProperties).toBeUndefined();
    expect(schemas.Problem.additionalProperties).toBeUndefined();
    expect(schemas.CreateLobbyRequest.additionalProperties).toBe(false);
    const inlined = Object.entries<Json>(document.paths)
      .filter(([path]) => !path.startsWith('/api/health'))
      .flatMap(([, item]) => Object.values<Json>(item))
      .flatMap(({ responses }) => Object.entries<Json>(responses))
      .filter(([status, { $ref }]) => status >= '400' && !$ref);
    expect(inlined.map(([, { description }]) => description)).toEqual(['The link has expired.']);
  });

  it('says of a request with alternatives that it has exactly one of them', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const accepts = (name: string, value: object) =>
      ajv.validate({ ...document.components.schemas[name], components: document.components }, value);
    const [ids, listId] = [{ sessionId: 'a', questionId: 'b' }, 'c'];
    for (const [isValid, name, value] of [
      [true, 'AnswerRequest', { ...ids, optionId: 1 }],
      [true, 'AnswerRequest', { ...ids, text: 'casa' }],
      [false, 'AnswerRequest', ids],
      [false, 'AnswerRequest', { ...ids, optionId: 1, text: 'casa' }],
      [true, 'GameRequest', {}],
      [true, 'GameRequest', { listId }],
      [false, 'GameRequest', { listId, pos: 'noun' }],
      [false, 'CreateLobbyRequest', { settings: { listId, difficulty: 'A1' } }],
      [false, 'CreateAssignmentRequest', { title: 'x', closesAt: 'y', listId, pos: 'noun' }],
    ] as const)
      expect(accepts(name, value), JSON.stringify(value)).toBe(isValid);
  });
});

describe('an example', () => {
  it('of a problem is a valid problem', () => {
    const examples = Object.values<Json>(document.components.examples);
    expect(examples.length).toBeGreaterThan(15);
    for (const { value } of examples) expect(Problem.strict().safeParse(value).error).toBeUndefined();
  });

  it('of a schema exists, and is valid by that schema', () => {
    for (const [id, { examples = [] }] of Object.entries<Json>(document.components.schemas)) {
      const schema = z.globalRegistry._idmap.get(id) as z.ZodType;
      expect(examples.length, id).toBeGreaterThan(0);
      for (const example of examples) expect(z.safeParse(schema, example).error?.issues, id).toBeUndefined();
    }
  });
});
