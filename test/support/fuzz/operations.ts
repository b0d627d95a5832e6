// Lists all HTTP operations: those of the OpenAPI document, and all endpoints of better-auth.
import { z } from 'zod';
import type { Services } from '../../../src/services.ts';
import type { Json } from './schema-values.ts';

export interface Operation {
  /** Method and path, such as `POST /api/v1/lobbies`. */
  name: string;
  method: string;
  path: string;
  parameters: { name: string; in: string; required?: boolean; schema: Json }[];
  body: Json | undefined;
  /** Responses by status; undefined if the document does not describe the operation. */
  responses: Record<string, Json> | undefined;
}

/** @returns the operations that the document describes, without those of better-auth */
export const describedOperations = (document: Json): Operation[] =>
  allDescribed(document).filter(({ path }) => !path.startsWith('/api/auth/'));

/** @returns every endpoint that better-auth serves, with the document's description where there is one */
export function authOperations(auth: Services['auth'], document: Json): Operation[] {
  const described = new Map(allDescribed(document).map((one) => [one.name, one]));
  const endpoints = Object.values<Json>(auth.api).filter(({ path, options }) => path && options);
  const found = endpoints.flatMap(({ path: ownPath, options }) =>
    [options.method].flat().map((method: string): Operation => {
      const path = `/api/auth${ownPath}`.replace(/:(\w+)/g, '{$1}');
      const name = `${method} ${path}`;
      const documented = described.get(name.replace('{id}', '{provider}'));
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => {
        return { name: parameter, in: 'path', required: true, schema: { type: 'string' } };
      });
      const parameters = [...inPath, ...queryOf(options.query)];
      const body = method === 'GET' ? undefined : (schemaOf(options.body) ?? {});
      return { name, method, path, parameters, body, responses: documented?.responses };
    }),
  );
  return [...new Map(found.map((one) => [one.name, one])).values()];
}

function allDescribed(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([lower, operation]) => {
      const method = lower.toUpperCase();
      return {
        name: `${method} ${path}`,
        method,
        path,
        parameters: operation.parameters ?? [],
        body: operation.requestBody?.content['application/json']?.schema,
        responses: operation.responses,
      };
    }),
  );
}

function queryOf(schema: unknown): Operation['parameters'] {
  const { properties = {} } = schemaOf(schema) ?? {};
  return Object.entries<Json>(properties).map(([name, one]) => ({ name, in: 'query', schema: one }));
}

/** Converts a Zod schema of better-auth. A type that JSON Schema can't express accepts any value. */
function schemaOf(schema: unknown): Json | undefined {
  if (!(schema instanceof z.ZodType)) return undefined;
  return z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input', cycles: 'ref' });
}
