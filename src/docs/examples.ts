// Adds examples to the operations of the published description: responses, and calls with curl and the client
// library.
import { type DocumentWithSchemas, exampleOf, meaningOf } from './fields.ts';

interface Media {
  schema?: object;
  example?: unknown;
  examples?: object;
}

/** The parts of an operation that this file reads and changes. */
export interface DescribedOperation {
  parameters?: { name: string; description?: string; schema?: object }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
  'x-codeSamples'?: { lang: string; label: string; source: string }[];
}

const JSON_TYPE = 'application/json';

/** How the client library calls each operation that it supports. */
const CALLS: Record<string, string> = {
  'GET /api/v1/vocabulary': 'const { decks } = await client.getVocabulary();',
  'POST /api/v1/game/start': 'const { sessionId, questions } = await client.startGame(BODY);',
  'POST /api/v1/game/answer': 'const { isCorrect, score } = await client.answerQuestion(BODY);',
  'POST /api/v1/lobbies': 'const { code } = await client.createLobby(BODY);\nconst lobby = client.lobby(code);',
  'POST /api/v1/lobbies/{code}/join': "await client.joinLobby('7KQ2ZD');\nconst lobby = client.lobby('7KQ2ZD');",
  'GET /api/v1/lobbies/{code}': "const { players } = await client.getLobby('7KQ2ZD');",
  'GET /api/v1/lobbies': 'const { lobbies } = await client.getLobbies();',
  'GET /api/v1/lobbies/{code}/players': "const { players, next } = await client.listPlayers('7KQ2ZD', { limit: 200 });",
  'GET /api/v1/games/{gameId}': 'const { scores, rounds } = await client.getGame(gameId);',
  'GET /api/v1/games': 'const { games, next } = await client.listGames({ limit: 20 });',
  'GET /api/v1/progress': "const { dueNow } = await client.getProgress({ timeZone: 'Europe/Rome' });",
  'GET /api/v1/progress/calendar': "const { days } = await client.getCalendar({ timeZone: 'Europe/Rome' });",
  'GET /api/v1/words': "const { words, next } = await client.getWords({ state: 'learning' });",
  'PUT /api/v1/words/{wordId}/suspension': 'await client.suspendWord(wordId);',
  'DELETE /api/v1/words/{wordId}/suspension': 'await client.resumeWord(wordId);',
  'GET /api/v1/lists': 'const { lists } = await client.getLists();',
  'POST /api/v1/lists': 'const { listId } = await client.createList(BODY);',
  'GET /api/v1/lists/{listId}': 'const { terms } = await client.getList(listId);',
  'PUT /api/v1/lists/{listId}': 'await client.replaceList(listId, BODY);',
  'DELETE /api/v1/lists/{listId}': 'await client.deleteList(listId);',
  'GET /api/v1/account/export': 'const { account, lists, games } = await client.exportAccount();',
  'POST /api/v1/assignments': 'const { code } = await client.createAssignment(BODY);',
  'GET /api/v1/assignments': 'const { assignments, next } = await client.getAssignments();',
  'GET /api/v1/assignments/{code}': "const { title, closesAt, attemptsLeft } = await client.getAssignment('7KQ2ZD9M');",
  'PATCH /api/v1/assignments/{code}': "await client.updateAssignment('7KQ2ZD9M', BODY);",
  'DELETE /api/v1/assignments/{code}': "await client.deleteAssignment('7KQ2ZD9M');",
  'DELETE /api/v1/assignments/{code}/people/{userId}': "await client.deletePerson('7KQ2ZD9M', userId);",
  'DELETE /api/v1/assignments/{code}/people': "await client.deleteGuests('7KQ2ZD9M');",
  'POST /api/v1/assignments/{code}/start':
    "const { sessionId, questions, answered } = await client.startAssignment('7KQ2ZD9M');",
  'GET /api/v1/assignments/{code}/results':
    "const { people, questions } = await client.getAssignmentResults('7KQ2ZD9M');",
  'POST /api/v1/guests': 'const { user } = await client.createGuest(BODY);',
  'GET /api/v1/invitations/{code}': "const { kind } = await client.getInvitation('7KQ2ZD');",
};

/** Adds descriptions of parameters, example responses and sample calls to an operation. */
export function exemplify(
  document: DocumentWithSchemas,
  operation: DescribedOperation,
  method: string,
  path: string,
): void {
  for (const parameter of operation.parameters ?? []) {
    const meaning = meaningOf('', parameter.name, parameter.schema);
    if (meaning) parameter.description ??= meaning.description;
  }
  for (const { content = {} } of Object.values(operation.responses))
    for (const media of Object.values(content))
      if (media?.schema && !media.examples) media.example ??= exampleOf(document, media.schema);
  const asked = operation.requestBody?.content[JSON_TYPE]?.schema;
  const body = asked && exampleOf(document, asked);
  const call = CALLS[`${method.toUpperCase()} ${path}`];
  operation['x-codeSamples'] = [
    { lang: 'Shell', label: 'curl', source: curl(method, path, body) },
    ...(call ? [{ lang: 'JavaScript', label: 'Client library', source: program(call, body) }] : []),
  ];
}

/** @returns a command to copy; a parameter of the path becomes a variable of the shell, `{gameId}` becomes `$GAME_ID` */
function curl(method: string, path: string, body: unknown): string {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.replace(/(?=[A-Z])/g, '_').toUpperCase()}`);
  const json = body && ` \\\n  -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  return `curl -X ${method.toUpperCase()} "$SERVICE${address}" -b cookies.txt -c cookies.txt${json ?? ''}`;
}

function program(call: string, body: unknown): string {
  const setUp = `import { createClient } from 'vocabulary-quiz-service/client';

const client = createClient({ baseUrl: 'https://quiz.example.org', cookie });`;
  return `${setUp}\n${call.replace('BODY', () => JSON.stringify(body, null, 2))}`;
}
