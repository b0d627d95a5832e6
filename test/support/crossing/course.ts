// Takes one list through every operation and message that takes words or gives them, in each mode: the list is stored,
// asked in quizzes, assignments and a game, answered in every way, read, replaced and deleted. [contract 3, 14, 20, 21]
import type { ListTerm } from '../../../src/vocabulary/lists/schema.ts';
import { ANSWER_LENGTH, type Question } from '../../../src/vocabulary/schema.ts';
import type { Json } from '../fuzz/schema-values.ts';
import { createHttpClient } from '../http-client.ts';
import { createPlayer, type Player } from '../player.ts';
import { playGame } from './game.ts';
import { clientMessages, filled, modesOf, SOURCES, type WordOperation, wordOperations } from './operations.ts';

/** One operation or message, in one mode, sent or answered in one way. */
export interface Cell {
  mode: string;
  name: string;
  how: string;
}

export interface Reply {
  /** The status; of a message the code of its refusal, or 200. */
  status: number;
  body: Json;
  bytes: number;
}

/**
 * Does what a cell is about, and measures it.
 * @param act may be repeated
 * @param prepare does what `act` needs, before `act` and each repetition
 */
export type Measure = (
  cell: Cell,
  act: () => Promise<Reply>,
  prepare?: (isRepeated: boolean) => Promise<unknown>,
) => Promise<Reply>;

export interface Course {
  url: string;
  terms: readonly ListTerm[];
  /** The players of games, of whom the first one owns the list. */
  players: [Player, Player, Player];
  measure: Measure;
  /** The ways in which words are asked; by default those that the service accepts for the list. */
  modes?: Values[];
}

export async function newPlayers(services: Parameters<typeof createPlayer>[0], url: string) {
  const players = ['Ada', 'Ben', 'Cleo'].map((name) => createPlayer(services, url, name));
  return (await Promise.all(players)) as Course['players'];
}

export interface Outcome {
  /** The operations with their sources, and the messages, that were found. */
  found: string[];
  /** Those of them that have succeeded. */
  done: Set<string>;
  /** Refusals that no list may cause. */
  faults: string[];
  modes: Values[];
}

type Values = Record<string, unknown>;

/** The status of a request for which the list has too few words. */
const TOO_FEW = 422;
const QUESTIONS = 50;
const HOUR_MS = 3_600_000;
const METHODS = ['POST', 'GET', 'PATCH', 'PUT', 'DELETE'];

interface Item {
  operation: WordOperation;
  type: string | undefined;
  source: string | undefined;
}

const nameOf = ({ operation, source, type }: Item) =>
  [operation.name, source && `by ${source}`, type && type !== 'application/json' && `as ${type}`]
    .filter(Boolean)
    .join(' ');

export async function crossWords(course: Course): Promise<Outcome> {
  const { url, terms, measure } = course;
  const [owner] = course.players;
  const documents = createHttpClient(url);
  const openapi: Json = (await documents.get('/api/openapi.json')).body;
  const asyncapi: Json = (await documents.get('/api/asyncapi.json')).body;
  const messages = clientMessages(asyncapi);
  const operations = wordOperations(openapi);
  const items = operations
    .flatMap((operation) =>
      operation.types.flatMap((type) => operation.sources.map((source): Item => ({ operation, type, source }))),
    )
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const answering = items.filter(({ operation }) => isAnswering(operation));
  const others = items.filter((item) => !answering.includes(item));
  const outcome: Outcome = {
    found: [...items.map(nameOf), ...messages.map(({ type }) => type)],
    done: new Set(),
    faults: [],
    modes: course.modes ?? [],
  };
  const closesAt = new Date(Date.now() + HOUR_MS).toISOString();
  const known: Values = { terms, closesAt, attempts: 10, userId: course.players[1].user.id };
  let mode: Values = {};
  const modeName = () => Object.values(mode).join(' ');

  /** @returns the path with its parameters; null while one of them is not known */
  function pathOf({ path }: WordOperation): string | null {
    let isKnown = true;
    const filledPath = path.replace(/([\w-]+)\/\{(\w+)\}/g, (_, collection, name) => {
      const value = known[`${collection}.${name}`] ?? known[name];
      isKnown &&= value !== undefined;
      return `${collection}/${value}`;
    });
    return isKnown ? filledPath : null;
  }

  function bodyOf({ operation: { body, isList }, source }: Item): Json {
    const languages = isList ? { sourceLanguage: 'en', targetLanguage: 'de' } : {};
    const others = (source ? SOURCES[source] : undefined) ?? [];
    const values = { ...known, ...mode, ...languages, ...Object.fromEntries(others.map((name) => [name, undefined])) };
    return body && filled(body, openapi, values);
  }

  async function send(item: Item): Promise<Reply> {
    const { method } = item.operation;
    const body = bodyOf(item);
    const headers = { ...(item.type && { accept: item.type }), ...(body && { 'content-type': 'application/json' }) };
    const init = { headers, ...(body && { body: JSON.stringify(body) }) };
    const reply = await owner.http.request(method, pathOf(item.operation) as string, init);
    return { ...reply, bytes: sizeOf(body) + sizeOf(reply.body) };
  }

  /** Stores the list anew, so that nothing of it is in any memory. */
  async function renew(): Promise<void> {
    const put = items.find(({ operation: { method, isList } }) => isList && method === 'PUT');
    if (put) await send(put);
  }

  function remember(body: Json, { method, path }: WordOperation): void {
    if (method !== 'POST') return;
    const collection = path.split('/').findLast((part) => !part.startsWith('{'));
    for (const [name, value] of Object.entries<Json>(Object(body))) {
      if (typeof value !== 'string') continue;
      known[`${collection}.${name}`] = value;
      if (name.endsWith('Id')) known[name] = value;
    }
  }

  const seen = new Set<string>();
  async function perform(item: Item): Promise<void> {
    const name = nameOf(item);
    const isFirst = item.operation.isStart && !seen.has(modeName());
    if (isFirst) seen.add(modeName());
    const cell = { mode: modeName(), name, how: isFirst ? 'first' : 'again' };
    let reply = await measure(
      cell,
      () => send(item),
      async (isRepeated) => isFirst && isRepeated && renew(),
    );
    if (reply.status === TOO_FEW && known.questionCount === QUESTIONS) {
      Object.assign(known, { questionCount: 1, rounds: 1 });
      reply = await measure({ ...cell, how: 'again' }, () => send(item));
    }
    if (reply.status < 300) {
      outcome.done.add(name);
      remember(reply.body, item.operation);
      await follow(item, reply.body);
    } else if (reply.status !== TOO_FEW) fault(name, reply);
  }

  /** Answers the questions of a reply, or plays in the lobby that it has. */
  async function follow(item: Item, body: Json): Promise<void> {
    if (body?.sessionId && body.questions) for (const answer of answering) await answerAll(item, body, answer);
    if (body?.players && body.code && body.status === 'waiting' && !known[`played ${body.code}`]) {
      known[`played ${body.code}`] = true;
      const values = { ...known, ...mode, code: body.code, gameId: undefined };
      const game = await playGame({ ...course, asyncapi, messages, values, mode: modeName(), outcome, fault });
      if (game) known.gameId = game;
    }
  }

  async function answerAll(start: Item, quiz: Json, answer: Item): Promise<void> {
    const { operation } = answer;
    const name = `${operation.name} to ${start.operation.name}`;
    let { sessionId, questions } = quiz;
    let question: Json;
    const post = async (fields: object) => {
      const body = { sessionId, questionId: question?.questionId, ...fields };
      return { ...(await owner.http.post(operation.path, body)), bytes: 0 };
    };
    const fresh = async () => {
      if (questions.length === 0) ({ sessionId, questions = [] } = (await send(start)).body);
      question = questions.shift();
    };
    for (const how of HOWS) {
      const fields = () => answersTo(question, terms)[how];
      const reply = await measure(
        { mode: modeName(), name, how },
        () => post(fields()),
        async () => {
          await fresh();
          if (how === 'refused') await post(answersTo(question, terms).right);
        },
      );
      if (how === 'refused' ? reply.status >= 404 && reply.status <= 409 : reply.status === 200)
        outcome.done.add(nameOf(answer));
      else if (question) fault(`${name}, ${how}`, reply);
    }
  }

  function fault(name: string, { status, body }: Reply): void {
    outcome.faults.push(`${name} (${modeName()}): ${status} ${body?.code ?? body?.reason}`);
  }

  /** Performs what can be performed, again and again, since one operation may need what another gives. */
  async function performAll(waiting: Item[]): Promise<void> {
    for (let left = waiting, before = -1; left.length !== before; ) {
      before = left.length;
      const next: Item[] = [];
      for (const item of left)
        if (pathOf(item.operation) === null || (item.source && known[item.source] === undefined)) next.push(item);
        else await perform(item);
      left = next;
    }
  }

  const isList = ({ operation }: Item) => operation.isList;
  const isDelete = ({ operation: { method } }: Item) => method === 'DELETE';
  await performAll(others.filter((item) => isList(item) && item.operation.method === 'POST'));
  const trial = others.find(({ source, operation }) => source === 'listId' && pathOf(operation) !== null) as Item;
  const accepts = async (field: Values) => {
    mode = field;
    return (await send(trial)).status !== 400;
  };
  if (outcome.modes.length === 0) outcome.modes = await modesOf(operations, openapi, accepts);
  const beforeModes = new Set(Object.keys(known));
  for (mode of outcome.modes) {
    // What a mode refuses must not be taken from the mode before.
    for (const name of Object.keys(known)) if (!beforeModes.has(name)) delete known[name];
    Object.assign(known, { questionCount: QUESTIONS, rounds: QUESTIONS });
    await performAll(others.filter((item) => !isList(item) && !isDelete(item)));
  }
  await performAll(others.filter((item) => isList(item) && item.operation.method !== 'POST'));
  await performAll(others.filter(isDelete));
  return outcome;
}

/** @returns about half of the modes: each value of each field is among them, and lists at an odd place get the others */
export const modesAt = (modes: Values[], place: number): Values[] =>
  modes.filter((_, index) => index.toString(2).replaceAll('0', '').length % 2 === place % 2);

/** Whether an operation answers a question of a session, and so needs one. */
const isAnswering = ({ isAnswer, path }: WordOperation) => isAnswer && !path.includes('{');

/** An operation that draws questions comes first, so that it is what reads a list that is in no memory. */
const rankOf = ({ operation: { method, path, isStart } }: Item) =>
  METHODS.indexOf(method) * 10 + (isStart ? 0 : path.split('{').length);

const sizeOf = (body: unknown) => Buffer.byteLength(JSON.stringify(body) ?? '');

/** `refused` repeats the longest answer to a question that is answered already. */
export const HOWS = ['right', 'close', 'wrong', 'longest', 'refused'] as const;

/** The text whose form is longest: each character stands for eighteen. */
const LONGEST = 'ﷺ'.repeat(ANSWER_LENGTH);

/** @returns the fields of an answer, of the kind that the question has; a missing question gets none */
export function answersTo(
  question: Question | undefined,
  terms: readonly ListTerm[],
): Record<(typeof HOWS)[number], object> {
  const { prompt, options } = question ?? {};
  const answers = terms.flatMap(({ sourceText, targetText }) => {
    if (sourceText === prompt) return targetText;
    return targetText === prompt ? sourceText : [];
  });
  if (options) {
    const pick = (isRight: boolean) => {
      return { optionId: options.find(({ text }) => answers.includes(text) === isRight)?.optionId ?? 0 };
    };
    const [right, wrong] = [pick(true), pick(false)];
    return { right, close: right, wrong, longest: wrong, refused: wrong };
  }
  const [right = 'x'] = answers;
  const close = right.length > 2 ? `${right.slice(0, 1)}${right.slice(2)}`.trim() : right;
  return {
    right: { text: right },
    close: { text: close },
    wrong: { text: 'no such word' },
    longest: { text: LONGEST },
    refused: { text: LONGEST },
  };
}
