// Measures the cost of a quiz's requests over HTTP, in all processes, and the requests a second. It compares
// them with a bare Fastify that does the least with the same stores.
import { createSignedInUser } from '../support/users.ts';
import { inParallel } from './batches.ts';
import type { Child } from './child.ts';
import { COST_NAMES, comparing, type Figure, inTurns } from './figures.ts';
import { type HttpConnection, openHttp } from './http-load.ts';
import { measure } from './meter.ts';
import type { Stage } from './stage.ts';

/**
 * A repetition takes a second or two, since a user may have only 20 live quizzes. The median of many is
 * stable on a busy machine too.
 */
const REPETITIONS = 25;
/** The first repetitions don't count: V8 compiles code after some thousand executions, and a replica runs for days. */
const WARM_UPS = 10;
const REPETITIONS_SHORT = 9;
const CONNECTIONS = 16;
/** Each connection belongs to another user, who may have 20 live quizzes. */
const SESSIONS = 20;
const QUESTIONS = 10;
const STARTS = CONNECTIONS * SESSIONS;
const ANSWERS = STARTS * QUESTIONS;

export const measureRequests = (stage: Stage) => measureOften(stage, REPETITIONS);
export const measureRequestsShortly = (stage: Stage) => measureOften(stage, REPETITIONS_SHORT);

async function measureOften(stage: Stage, repetitions: number): Promise<Figure[]> {
  const users = await inParallel(Array(CONNECTIONS), () => createSignedInUser(stage.services));
  const [api, floor] = [await stage.startApi(), await stage.startFloor('floor-http')];
  const open = ({ url }: Child) => inParallel(users, ({ cookie }) => openHttp(url, cookie));
  const [connections, floorConnections] = [await open(api), await open(floor)];
  let started: string[][] = [];
  const startAll = async () => {
    started = await Promise.all(connections.map(startSessions));
  };
  const answerAll = () =>
    Promise.all(connections.map((connection, at) => answerSessions(connection, started[at] ?? [])));
  const [starts, floorStarts, answers, floorAnswers] = await inTurns(
    repetitions,
    [
      () => measure(stage, { apis: [api] }, startAll),
      () => measure(stage, { apis: [floor] }, () => callFloor(floorConnections, '/start', STARTS)),
      () => measure(stage, { apis: [api] }, answerAll),
      () => measure(stage, { apis: [floor] }, () => callFloor(floorConnections, '/answer', ANSWERS)),
    ],
    WARM_UPS,
  );
  for (const connection of [...connections, ...floorConnections]) connection.close();
  await Promise.all([api.stop(), floor.stop()]);
  return [
    ...figuresOf('/game/start', STARTS, comparing<Measured>(starts, 'bare Fastify, GET and SET', floorStarts)),
    ...figuresOf('/game/answer', ANSWERS, comparing<Measured>(answers, 'bare Fastify, GET and script', floorAnswers)),
  ];
}

type Measured = Pick<Awaited<ReturnType<typeof measure>>, 'cost' | 'durationMs'>;

function figuresOf(path: string, requests: number, { figure }: ReturnType<typeof comparing<Measured>>): Figure[] {
  return [
    ...COST_NAMES.slice(0, 3).map(([part, who]) =>
      figure(`POST ${path}, CPU of ${who}`, 'µs', ({ cost }) => (cost[part] * 1000) / requests),
    ),
    figure(`POST ${path}, requests`, '1/s', ({ durationMs }) => (requests * 1000) / durationMs),
  ];
}

/** @returns the replies */
async function startSessions(connection: HttpConnection): Promise<string[]> {
  const started: string[] = [];
  while (started.length < SESSIONS)
    started.push(await connection.post('/api/v1/game/start', { questionCount: QUESTIONS }, 201));
  return started;
}

async function answerSessions(connection: HttpConnection, started: readonly string[]): Promise<void> {
  for (const text of started) {
    const { sessionId, questions } = JSON.parse(text) as { sessionId: string; questions: { questionId: string }[] };
    for (const { questionId } of questions)
      await connection.post('/api/v1/game/answer', { sessionId, questionId, optionId: 1 }, 200);
  }
}

async function callFloor(connections: HttpConnection[], path: string, requests: number): Promise<void> {
  const body = { sessionId: crypto.randomUUID(), questionId: crypto.randomUUID(), optionId: 1 };
  const call = async (connection: HttpConnection) => {
    for (let count = 0; count < requests / connections.length; count++) await connection.post(path, body, 200);
  };
  await Promise.all(connections.map(call));
}
