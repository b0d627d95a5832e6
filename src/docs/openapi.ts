// Serves GET /api/openapi.json, which is made from the operations. [contract 7]
import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { jsonFile, type SentFile, sendFile } from '../http/files.ts';
import { describeOperations, type Operation, type Route, route } from '../http/operation.ts';
import * as problems from '../http/problems/problem-responses.ts';
import '../http/problems/problem-schema.ts';
import { AUTH_OPERATIONS, AUTH_REFUSAL, type AuthOperation } from './auth-operations.ts';
import { namedSchemas, namesIn, reachedFrom, withoutNoise } from './json-schema.ts';
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

const { getDescription } = describeOperations(
  { tag: 'Operations', access: 'anyone' },
  {
    getDescription: {
      at: 'GET /api/openapi.json',
      summary: 'This description',
      replies: {
        200: z.looseObject({
          openapi: z.string().meta({ description: 'The version of the format.', examples: ['3.1.0'] }),
        }),
      },
    },
  },
);

export interface ApiOptions {
  version: string;
  /** The service's own origin; it decides the session cookie's name. */
  publicUrl: string;
}

/** @param operations the operations that are served besides this one */
export function apiDescriptionRoute(options: ApiOptions, operations: Operation[]): Route {
  let file: SentFile | undefined;
  return route(getDescription, async (request, reply) => {
    file ??= jsonFile(describeApi(options, [...operations, getDescription]));
    return sendFile(request, reply, file, 'no-cache');
  });
}

/** @returns an OpenAPI 3.1 document of these operations and those of better-auth */
function describeApi({ version, publicUrl }: ApiOptions, operations: Operation[]): object {
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
          name: `${publicUrl.startsWith('https:') ? '__Secure-' : ''}better-auth.session_token`,
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

type Schema = z.core.JSONSchema.JSONSchema;

type Schemas = ReturnType<typeof createSchemas>;

/** The named schemas. One with a default or a transformation is another in a request than in a reply. */
function createSchemas() {
  const namedOf = (io: 'input' | 'output') => namedSchemas(io, 'draft-2020-12') as Record<string, Schema>;
  const named = { input: namedOf('input'), output: namedOf('output') };
  for (const schemas of Object.values(named))
    for (const schema of Object.values(schemas)) schema.examples ??= [exampleOf(schemas, schema)];
  /** The names that requests refer to, directly or not. */
  const asked = new Set<string>();

  return {
    /** @returns a schema as JSON Schema, a named one as a reference */
    toJson(schema: z.ZodType, io: 'input' | 'output'): Schema {
      const id = schema.meta()?.id;
      const options = { unrepresentable: 'any', override: withoutNoise[io], io } as const;
      const json = id ? { $ref: `#/components/schemas/${id}` } : (z.toJSONSchema(schema, options) as Schema);
      const { $schema, $defs, ...others } = json as Schema;
      const text = JSON.stringify(others).replaceAll('"#/$defs/', '"#/components/schemas/');
      if (io === 'input') for (const name of namesIn(text)) asked.add(name);
      return JSON.parse(text);
    },
    exampleOf: (schema: Schema, io: 'input' | 'output') => exampleOf(named[io], schema),
    resolve: ({ $ref, ...schema }: Schema, io: 'input' | 'output'): Schema =>
      $ref ? (named[io][String($ref).split('/').at(-1) as string] as Schema) : schema,
    /** @returns the schemas to which the document refers. @throws Error where a name would mean two schemas */
    used(text: string): Record<string, object> {
      const ofRequests = reachedFrom(asked, named.input);
      const others = namesIn(text).filter((name) => !ofRequests.has(name));
      const ofReplies = reachedFrom(others, named.output);
      return Object.fromEntries(
        [...new Set([...ofReplies, ...ofRequests])].map((name) => {
          const [input, output] = [named.input[name], named.output[name]];
          if (ofRequests.has(name) && ofReplies.has(name) && JSON.stringify(input) !== JSON.stringify(output))
            throw new Error(`the schema ${name} is another one in requests than in replies`);
          return [name, (ofRequests.has(name) ? input : output) as Schema];
        }),
      );
    },
  };
}

const CACHE_HEADERS = ['etag', 'cache-control'] as const;

/** @param refusals gets the refusals, which operations share, by their names */
function describe(one: Operation | AuthOperation, schemas: Schemas, refusals: Record<string, object>): object {
  const { id, tag, summary, description, access, params, query, body, replies, csv, limit, location, cacheControl } =
    one;
  const isOfAuth = one.path.startsWith('/api/auth/');
  const parameters = [
    ...parametersOf(params, 'path', schemas),
    ...parametersOf(query, 'query', schemas),
    ...parametersOf(one.headers, 'header', schemas),
  ];
  const asked = body && schemas.toJson(body, 'input');
  const firstReply = Object.values(replies)[0] as z.ZodType;
  const { properties = {} } = schemas.resolve(schemas.toJson(firstReply, 'output'), 'output');
  const responses = Object.entries(replies).map(([status, schema]) => {
    const content = contentOf(schema, schemas);
    if (csv && status === '200')
      Object.assign(content, contentOf(csv.meta({ ...csv.meta(), contentMediaType: 'text/csv' }), schemas));
    const described = schema.meta()?.id ? undefined : schema.description;
    return [
      status,
      {
        description: (isOfAuth && described) || (isOfAuth ? 'Done.' : STATUS_CODES[status]),
        headers: problems.headersOf(
          'x-request-id',
          ...(location && status === '201' ? (['location'] as const) : []),
          ...(cacheControl ? CACHE_HEADERS : []),
          ...(limit ? problems.RATE_LIMIT_HEADERS : []),
        ),
        ...(Object.keys(content).length > 0 && { content }),
      },
    ];
  });
  if (cacheControl) {
    const headers = problems.headersOf('x-request-id', ...CACHE_HEADERS, ...(limit ? problems.RATE_LIMIT_HEADERS : []));
    responses.push(['304', { description: 'The client has it already, by `If-None-Match`.', headers }]);
  }
  const refused = isOfAuth ? authRefusals(one as AuthOperation) : problems.problemResponses(one as Operation);
  for (const { name, response } of refused.values()) refusals[name] = response;
  const references = [...refused].map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(access === 'anyone' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(asked && {
      requestBody: { required: !body?.safeParse({}).success, content: { 'application/json': { schema: asked } } },
    }),
    responses: { ...Object.fromEntries(references), ...Object.fromEntries(responses) },
    'x-codeSamples': samplesOf(one, {
      query: Object.fromEntries(
        parameters
          .filter((parameter) => parameter.in === 'query' && parameter.required)
          .map(({ name, schema }) => [name, schema.const as string | undefined]),
      ),
      body: asked && schemas.exampleOf(asked, 'input'),
      fields: Object.keys(properties),
    }),
  };
}

/** @returns a reply by its media type; nothing for one without a body */
function contentOf(schema: z.ZodType, schemas: Schemas): Record<string, object> {
  const { contentMediaType = 'application/json', ...json } = schemas.toJson(schema, 'output');
  if (json.type === 'null') return {};
  const { examples: _, ...plain } = json;
  return { [String(contentMediaType)]: { schema: plain, example: schemas.exampleOf(json, 'output') } };
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query' | 'header', schemas: Schemas) {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemas.resolve(schemas.toJson(schema, 'input'), 'input');
  return Object.entries(properties as Record<string, Schema>).map(([name, { description, examples, ...plain }]) => ({
    schema: plain,
    ...(examples && { example: examples[0] }),
    in: place,
    name,
    required: required.includes(name),
    description,
  }));
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
