// Makes the description of the HTTP API, /api/openapi.json, from the operations. [contract 7]
import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { Operation } from '../http/operation.ts';
import * as problems from '../http/problems/problem-responses.ts';
import '../http/problems/problem-schema.ts';
import { type Installation, sessionCookie } from './asyncapi.ts';
import { AUTH_OPERATIONS, AUTH_REFUSAL, type AuthOperation } from './auth-operations.ts';
import { type Io, namedSchemas, namesIn, optionsOf, reachedFrom, type Schema, type Schemas } from './json-schema.ts';
import { exampleOf, samplesOf } from './samples.ts';

const DESCRIPTION = readFileSync(new URL('openapi.md', import.meta.url), 'utf8').trimEnd();

/** The repository has no licence. */
const LICENSE = { name: 'All rights reserved', identifier: 'LicenseRef-All-rights-reserved' };

const TAGS = [
  { name: 'Single-player', description: 'Start a quiz for one, and answer its questions.' },
  { name: 'Games', description: 'Finished games, with all questions and answers.' },
  { name: 'Learning', description: 'The words that you know, and those that are due.' },
  { name: 'Vocabulary', description: 'The available languages, levels and decks.' },
  { name: 'Lists', description: 'Your own words, which you can play like those of a deck.' },
  { name: 'Homework', description: 'Questions that many people answer, each alone and in their own time.' },
  { name: 'Lobbies', description: 'Create or join a lobby by its code, then play over `/ws`.' },
  { name: 'Guests', description: 'What a code invites to, and how to play without an account.' },
  {
    name: 'Accounts',
    description:
      "A summary of better-auth's API, which has an error format of its own; and all that is stored of you. A POST below `/api/auth` that has a cookie needs an `Origin` too, the service's own, which browsers send by themselves; without one it is 403 `MISSING_OR_NULL_ORIGIN`.",
  },
  { name: 'Operations', description: 'Health checks, and these descriptions.' },
];

/** @returns an OpenAPI 3.1 document of these operations and those of better-auth */
export function describeApi({ version, publicUrl }: Installation, operations: Operation[]): object {
  const schemas = createSchemas();
  const refusals: Record<string, object> = {};
  const paths: Record<string, Record<string, object>> = {};
  for (const one of [...operations, ...AUTH_OPERATIONS]) {
    const path = one.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [one.method.toLowerCase()]: describe(one, schemas, refusals) };
  }
  const text = JSON.stringify([paths, refusals]);
  const examples = Object.entries(problems.PROBLEM_EXAMPLES).filter(([code]) =>
    text.includes(`"#/components/examples/${code}"`),
  );
  return {
    openapi: '3.1.0',
    info: { title: 'Vocabulary quiz service', version, description: DESCRIPTION, license: LICENSE },
    servers: [{ url: publicUrl, description: 'This installation.' }],
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie(publicUrl),
          description: 'The session cookie, which a sign-in sets.',
        },
      },
      schemas: schemas.used(text),
      responses: refusals,
      headers: problems.HEADERS,
      examples: Object.fromEntries(examples),
    },
    paths,
    security: [{ session: [] }],
    tags: TAGS,
  };
}

/** The schemas of a document. One with a default or a transformation is another in a request than in a reply. */
function createSchemas() {
  const named = { input: namedSchemas('input', 'draft-2020-12'), output: namedSchemas('output', 'draft-2020-12') };
  for (const schemas of Object.values(named))
    for (const schema of Object.values(schemas)) schema.examples ??= [exampleOf(schemas, schema)];
  /** The names to which requests refer. */
  const asked = new Set<string>();

  /** @returns a schema as JSON Schema, a named one as a reference */
  function toJson(schema: z.ZodType, io: Io): Schema {
    const id = schema.meta()?.id;
    const json = id ? { $ref: `#/components/schemas/${id}` } : (z.toJSONSchema(schema, optionsOf(io)) as Schema);
    const { $schema, $defs, ...others } = json as Schema;
    const text = JSON.stringify(others).replaceAll('"#/$defs/', '"#/components/schemas/');
    if (io === 'input') for (const name of namesIn(text)) asked.add(name);
    return JSON.parse(text);
  }

  /** @returns the fields of an object, and the names of those that it must have */
  function fieldsOf(schema: z.ZodType, io: Io) {
    const json = toJson(schema, io);
    const { properties = {}, required = [] } = named[io][schema.meta()?.id ?? ''] ?? json;
    return { fields: Object.entries(properties as Schemas), required };
  }

  return {
    fieldsOf,
    bodyOf(schema: z.ZodType) {
      const json = toJson(schema, 'input');
      return { schema: json, example: exampleOf(named.input, json) };
    },
    /** @returns a reply by its media type; nothing for one without a body */
    contentOf(schema: z.ZodType): Record<string, object> {
      const { contentMediaType = 'application/json', ...json } = toJson(schema, 'output');
      if (json.type === 'null') return {};
      const { examples: _, ...plain } = json;
      return { [String(contentMediaType)]: { schema: plain, example: exampleOf(named.output, json) } };
    },
    parametersOf(place: 'path' | 'query' | 'header', schema: z.ZodType | undefined) {
      if (!schema) return [];
      const { fields, required } = fieldsOf(schema, 'input');
      return fields.map(([name, { description, examples, ...plain }]) => ({
        schema: plain,
        ...(examples && { example: examples[0] }),
        in: place,
        name,
        required: required.includes(name),
        description,
      }));
    },
    /** @returns the schemas to which the document refers. @throws Error where a name would mean two schemas */
    used(text: string): Schemas {
      const ofRequests = reachedFrom(asked, named.input);
      const others = namesIn(text).filter((name) => !(name in ofRequests));
      const ofReplies = reachedFrom(others, named.output);
      for (const [name, schema] of Object.entries(ofRequests))
        if (name in ofReplies && JSON.stringify(schema) !== JSON.stringify(ofReplies[name]))
          throw new Error(`the schema ${name} is another one in requests than in replies`);
      return { ...ofReplies, ...ofRequests };
    },
  };
}

type DocumentSchemas = ReturnType<typeof createSchemas>;

/** @param refusals gets the refusals, which operations share, by their names */
function describe(one: Operation | AuthOperation, schemas: DocumentSchemas, refusals: Record<string, object>): object {
  const { id, tag, summary, description, access, params, query, headers, body, replies } = one;
  const parameters = [
    ...schemas.parametersOf('path', params),
    ...schemas.parametersOf('query', query),
    ...schemas.parametersOf('header', headers),
  ];
  const asked = body && schemas.bodyOf(body);
  const refused = isOfAuth(one) ? authRefusals(one) : problems.problemResponses(one);
  for (const { name, response } of refused.values()) refusals[name] = response;
  const references = [...refused].map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]);
  const { fields } = schemas.fieldsOf(Object.values(replies)[0] as z.ZodType, 'output');
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(access === 'anyone' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(asked && {
      requestBody: {
        required: !body?.safeParse({}).success,
        content: { 'application/json': { schema: asked.schema } },
      },
    }),
    responses: { ...Object.fromEntries(references), ...successesOf(one, schemas) },
    'x-codeSamples': samplesOf(one, {
      query: Object.fromEntries(
        parameters
          .filter((parameter) => parameter.in === 'query' && parameter.required)
          .map(({ name, schema }) => [name, schema.const as string | undefined]),
      ),
      body: asked?.example,
      fields: fields.map(([name]) => name),
    }),
  };
}

const isOfAuth = (one: Operation | AuthOperation): one is AuthOperation => one.path.startsWith('/api/auth/');

/** @returns the responses of an operation that are no refusals, by status */
function successesOf(one: Operation | AuthOperation, schemas: DocumentSchemas): Record<string, object> {
  const { replies, csv, limit, location, cacheControl } = one;
  const headers = problems.headersOf(
    'x-request-id',
    ...(cacheControl ? (['etag', 'cache-control'] as const) : []),
    ...(limit ? problems.RATE_LIMIT_HEADERS : []),
  );
  const responses = Object.entries(replies).map(([status, schema]) => {
    const content = schemas.contentOf(schema);
    if (csv && status === '200')
      Object.assign(content, schemas.contentOf(csv.meta({ ...csv.meta(), contentMediaType: 'text/csv' })));
    const described = schema.meta()?.id ? undefined : schema.description;
    return [
      status,
      {
        description: isOfAuth(one) ? (described ?? 'Done.') : STATUS_CODES[status],
        headers: { ...headers, ...(location && status === '201' && problems.headersOf('location')) },
        ...(Object.keys(content).length > 0 && { content }),
      },
    ];
  });
  const known = { description: 'The client has it already, by `If-None-Match`.', headers };
  return { ...Object.fromEntries(responses), ...(cacheControl && { 304: known }) };
}

/** What the refusals of better-auth mean, by status. */
const REFUSALS: Record<number, string> = {
  400: 'The request is not valid. Codes are, among others, `PASSWORD_TOO_COMMON`, `INVALID_NAME` and `INVALID_IMAGE`.',
  401: 'The credentials or the token are wrong.',
  403: 'The address is not confirmed yet, sign-up by email is off, the request comes from or redirects to a foreign origin, or it is a POST with a cookie and without an `Origin`: `MISSING_OR_NULL_ORIGIN`.',
  404: 'This provider is not configured, or there is no such token.',
  409: 'The same request was sent twice at once, and this was the later one: `ALREADY_EXISTS`.',
  413: 'The body is larger than 64 KiB.',
  415: 'The body is not JSON.',
  422: 'The account cannot be created.',
  429: 'Too many requests: `RATE_LIMITED`, with `Retry-After`.',
  500: 'An unexpected error has happened.',
  503: 'A store or a provider is unavailable, or the replica is overloaded: `UNAVAILABLE` and others, with `Retry-After`.',
};

/** The refusals that every operation may have. */
const ALWAYS = [400, 403, 413, 415, 429, 500, 503];

/** @returns the refusals of an operation as OpenAPI responses by status */
function authRefusals({ refusals }: AuthOperation): Map<number, problems.SharedResponse> {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/AuthError' }, example: AUTH_REFUSAL } };
  return new Map(
    [...refusals, ...ALWAYS].map((status) => {
      const headers = problems.headersOf('x-request-id', ...(problems.REFUSAL_HEADERS[status] ?? []));
      return [status, { name: `auth.${status}`, response: { description: REFUSALS[status], headers, content } }];
    }),
  );
}
