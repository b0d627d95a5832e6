// Makes the description of the HTTP API, /api/openapi.json, from the operations, with samples of calls. [contract 7]
import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { Operation } from '../http/operation.ts';
import * as problems from '../http/problems/problem-responses.ts';
import '../http/problems/problem-schema.ts';
import { type Installation, sessionCookie } from './asyncapi.ts';
import { AUTH_OPERATIONS, AUTH_REFUSAL, type AuthOperation } from './auth-operations.ts';
import {
  exampleOf,
  type Io,
  namedSchemas,
  namesIn,
  optionsOf,
  reachedFrom,
  type Schema,
  type Schemas,
} from './json-schema.ts';

const DESCRIPTION = readFileSync(new URL('openapi.md', import.meta.url), 'utf8').trimEnd();

/** The repository has no licence. */
const LICENSE = { name: 'All rights reserved', identifier: 'LicenseRef-All-rights-reserved' };

const TAGS = {
  'Single-player': 'Start a quiz for one, and answer its questions.',
  Games: 'Finished games, with all questions and answers.',
  Learning: 'The words that you know, and those that are due.',
  Vocabulary: 'The available languages, levels and decks.',
  Lists: 'Your own words, which you can play like those of a deck.',
  Homework: 'Questions that many people answer, each alone and in their own time.',
  Lobbies: 'Create or join a lobby by its code, then play over `/ws`.',
  Guests: 'What a code invites to, and how to play without an account.',
  Accounts:
    "A summary of better-auth's API, which has an error format of its own; and all that is stored of you. A POST below `/api/auth` that has a cookie needs an `Origin` too, the service's own, which browsers send by themselves; without one it is 403 `MISSING_OR_NULL_ORIGIN`.",
  Operations: 'Health checks, and these descriptions.',
};

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
          ...sessionCookie(publicUrl),
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
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
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

  return {
    bodyOf(schema: z.ZodType) {
      const json = toJson(schema, 'input');
      return { schema: json, example: exampleOf(named.input, json) };
    },
    /** @returns a reply by its media type; nothing for one without a body */
    contentOf(schema: z.ZodType, mediaType = 'application/json'): Record<string, object> {
      const { contentMediaType = mediaType, ...json } = toJson(schema, 'output');
      if (json.type === 'null') return {};
      const { examples: _, ...plain } = json;
      return { [String(contentMediaType)]: { schema: plain, example: exampleOf(named.output, json) } };
    },
    parametersOf(place: string, schema: z.ZodType | undefined) {
      return Object.entries(fieldsOf(schema)).map(([name, field]) => {
        const { description, examples, ...plain } = toJson(field, 'input');
        const required = !field.safeParse(undefined).success;
        return { schema: plain, ...(examples && { example: examples[0] }), in: place, name, required, description };
      });
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

/** @returns the fields of an object, or of one that is transformed; none of anything else */
function fieldsOf(schema: z.core.$ZodType | undefined): Record<string, z.ZodType> {
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in);
  return schema instanceof z.ZodObject ? schema.shape : {};
}

type DocumentSchemas = ReturnType<typeof createSchemas>;
type Parameter = ReturnType<DocumentSchemas['parametersOf']>[number];
type Described = Operation | AuthOperation;

/** @param refusals gets the refusals, which operations share, by their names */
function describe(one: Described, schemas: DocumentSchemas, refusals: Record<string, object>): object {
  const { id, tag, summary, description, access, params, query, headers, body } = one;
  const parameters = Object.entries({ path: params, query, header: headers }).flatMap(([place, schema]) =>
    schemas.parametersOf(place, schema),
  );
  const asked = body && schemas.bodyOf(body);
  const content = { 'application/json': { schema: asked?.schema } };
  const refused = isOfAuth(one) ? authRefusals(one) : problems.problemResponses(one);
  for (const { name, response } of refused.values()) refusals[name] = response;
  const references = [...refused].map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]);
  const search = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const samples = [{ lang: 'Shell', label: 'curl', source: curl(one, search, asked?.example) }];
  // The methods of the library are neither better-auth's operations nor the stream that a lobby opens.
  if (one.path.startsWith('/api/v1/') && !one.isStream)
    samples.push({ lang: 'JavaScript', label: 'Client library', source: program(one, asked?.example) });
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(access === 'anyone' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !body.safeParse({}).success, content } }),
    responses: { ...Object.fromEntries(references), ...successesOf(one, schemas) },
    'x-codeSamples': samples,
  };
}

const isOfAuth = (one: Described): one is AuthOperation => one.path.startsWith('/api/auth/');

/** @returns the responses of an operation that are no refusals, by status */
function successesOf(one: Described, schemas: DocumentSchemas): Record<string, object> {
  const { replies, csv, limit, location, cacheControl } = one;
  const headers = problems.headersOf(
    'x-request-id',
    ...(cacheControl ? (['etag', 'cache-control'] as const) : []),
    ...(limit ? problems.RATE_LIMIT_HEADERS : []),
  );
  const responses: Record<string, object> = {};
  for (const [status, schema] of Object.entries(replies)) {
    const content = schemas.contentOf(schema);
    if (csv && status === '200') Object.assign(content, schemas.contentOf(csv, 'text/csv'));
    const described = schema.meta()?.id ? undefined : schema.description;
    responses[status] = {
      description: isOfAuth(one) ? (described ?? 'Done.') : STATUS_CODES[status],
      headers: { ...headers, ...(location && status === '201' && problems.headersOf('location')) },
      ...(Object.keys(content).length > 0 && { content }),
    };
  }
  if (cacheControl) responses[304] = { description: 'The client has it already, by `If-None-Match`.', headers };
  return responses;
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

/** Values of a body that come from an earlier reply or an email, so that the sample has variables for them. */
const GIVEN_VALUES = /(?<="(id|token|\w+Id)": ?)"[^"]*"/g;

/** `gameId` becomes `GAME_ID`. */
const shellName = (name: string) => name.replace(/(?=[A-Z])/g, '_').toUpperCase();

/** A parameter of the path becomes a variable of the shell, and so does an id in the body. */
function curl({ method, path, isStream }: Described, query: Parameter[], body: unknown): string {
  const search = query.map(({ name, schema }) => `${name}=${schema.const ?? `$${shellName(name)}`}`);
  const address = [path.replace(/:(\w+)/g, (_, name: string) => `$${shellName(name)}`), ...search].join('?');
  const lines = [`curl${isStream ? ' -N' : ''} -X ${method} "$SERVICE${address}" -b cookies.txt -c cookies.txt`];
  // better-auth refuses a POST with a cookie and without an origin.
  if (method === 'POST' && path.startsWith('/api/auth/')) lines.push(`  -H "origin: $SERVICE"`);
  if (body !== undefined) {
    const json = JSON.stringify(body).replace(GIVEN_VALUES, (_, name: string) => `"'$${shellName(name)}'"`);
    lines.push(`  -H 'content-type: application/json' -d '${json}'`);
  }
  return lines.join(' \\\n');
}

const SET_UP = `import { createClient } from 'vocabulary-quiz-service/client';

const client = createClient({ baseUrl: 'https://quiz.example.org', cookie });`;

function program({ id, path, replies }: Described, body: unknown): string {
  const args = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const given = new Set(args);
  const json = JSON.stringify(body ?? {}, null, 2).replace(GIVEN_VALUES, (_, name: string) => {
    given.add(name);
    return name;
  });
  if (json !== '{}') args.push(json);
  const fields = Object.keys(fieldsOf(Object.values(replies)[0]));
  const read = fields.filter((name) => !given.has(name)).slice(0, 2);
  return `${SET_UP}\n${read.length > 0 ? `const { ${read.join(', ')} } = ` : ''}await client.${id}(${args.join(', ')});`;
}
