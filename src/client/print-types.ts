// Prints the types of all requests, answers and messages as plain interfaces, from the zod schemas. The built
// library has them in place of types.ts, which would need zod.
import { compile } from 'json-schema-to-typescript';
import { z } from 'zod';
import {
  AccountExport,
  AnswerRequest,
  AnswerResult,
  Assignment,
  AssignmentResults,
  Assignments,
  AttemptSession,
  Calendar,
  ChangeAssignmentRequest,
  ClientMessage,
  CreateAssignmentRequest,
  CreateLobbyRequest,
  ErrorMessage,
  GameList,
  GameRequest,
  GameResult,
  GameSession,
  Guest,
  GuestRequest,
  Invitation,
  JoinedLobbies,
  ListRequest,
  Lobby,
  LobbyChange,
  LobbySettings,
  PlayerPage,
  Progress,
  Question,
  ServerEvent,
  ServerMessage,
  Vocabulary,
  WordList,
  WordLists,
  WordListWithTerms,
  WordPage,
} from '../schemas.ts';

/** The schemas of what a caller sends: a field with a default may be missing. */
const REQUESTS = {
  AnswerRequest,
  ClientMessage,
  CreateLobbyRequest,
  GameRequest,
  ChangeAssignmentRequest,
  CreateAssignmentRequest,
  GuestRequest,
  ListRequest,
  LobbyChange,
};
/** The schemas of what the service sends: a field with a default is there. */
const ANSWERS = {
  AccountExport,
  AnswerResult,
  ErrorMessage,
  GameResult,
  GameSession,
  Guest,
  Invitation,
  Lobby,
  LobbySettings,
  Assignment,
  AssignmentResults,
  Assignments,
  AttemptSession,
  Calendar,
  GameList,
  JoinedLobbies,
  PlayerPage,
  Progress,
  Question,
  ServerEvent,
  ServerMessage,
  Vocabulary,
  WordList,
  WordLists,
  WordListWithTerms,
  WordPage,
};

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Definitions = Record<string, JsonSchema>;

/** @returns a TypeScript module with the types of types.ts */
export function printTypes(): Promise<string> {
  const definitions = { ...definitionsOf(REQUESTS, 'input'), ...definitionsOf(ANSWERS, 'output') };
  const names = Object.keys(definitions);
  const all = {
    description: 'All of them, by name.',
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }])),
    required: names,
    definitions,
  };
  return compile(all as Parameters<typeof compile>[0], 'Types', {
    bannerComment: '// Printed from the service’s own schemas.',
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 100 },
  });
}

/** @returns the JSON schemas and those that they refer to, by the names that a program imports */
function definitionsOf(schemas: Record<string, z.ZodType>, io: 'input' | 'output'): Definitions {
  const all = z.object(schemas);
  const { properties = {}, definitions: referred } = z.toJSONSchema(all, {
    io,
    target: 'draft-7',
    override({ jsonSchema }) {
      // The compiler would make tuples of the bounds, and a type has no defaults.
      for (const key of ['minItems', 'maxItems', 'default'] as const) delete jsonSchema[key];
    },
  });
  const definitions = { ...properties, ...(referred as Definitions) } as Definitions;
  let text = JSON.stringify(definitions);
  for (const name of Object.keys(schemas)) {
    const published = definitions[name]?.$ref?.replace('#/definitions/', '');
    // ErrorMessage is published as `Error`, a name that would hide JavaScript's own Error.
    if (published && published !== name)
      text = text
        .replace(`"${name}":{"$ref":"#/definitions/${published}"},`, '')
        .replace(`"${published}":{`, `"${name}":{`)
        .replaceAll(`"#/definitions/${published}"`, `"#/definitions/${name}"`);
  }
  return JSON.parse(text);
}
