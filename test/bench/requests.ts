// Measures the cost of a quiz's requests over HTTP, in all processes, and the requests a second. It compares
// them with a bare Fastify that does the least with the same stores.
import { freePort } from '../../src/tools/dev/ports.ts';
import { createSignedInUser } from '../support/users.ts';
import type { Child } from './child.ts';
import { comparing, type Figure, inTurns } from './figures.ts';
import { type HttpConnection, openHttp } from './http-load.ts';
import { eachOf, measure } from './meter.ts';
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

/** The cost of one request; CPU in µs. */
type Cost = ReturnType<typeof eachOf> & { perSecond: number };

export const measureRequests = (stage: Stage) => measureOften(stage, REPETITIONS);
export const measureRequestsShortly = (stage: Stage) => measureOften(stage, REPETITIONS_SHORT);

async function measureOften(stage: Stage, repetitions: number): Promise<Figure[]> {
  const users = await Promise.all(Array.from({ length: CONNECTIONS }, () => createSignedInUser(stage.services)));
  const cookies = users.map((user) => user.cookie);
  const api = await stage.startApi();
  const port = await freePort();
  const floor = await stage.startFloor('floor-http', String(port), stage.redisUrl);
  const connections = await open(api.url, cookies);
  const floorConnections = await open(`http://127.0.0.1:${port}`, cookies);
  const sessions = new Map<HttpConnection, string[]>();
  const runs = [
    () => cost(stage, api, STARTS, () => startSessions(connections, sessions)),
    () => cost(stage, floor, STARTS, () => callFloor(floorConnections, '/start', STARTS)),
    () => cost(stage, api, ANSWERS, () => answerAll(connections, sessions)),
    () => cost(stage, floor, ANSWERS, () => callFloor(floorConnections, '/answer', ANSWERS)),
  ] as const;
  const [starts, floorStarts, answers, floorAnswers] = await inTurns(repetitions, runs, WARM_UPS);
  for (const connection of [...connections, ...floorConnections]) connection.close();
  await Promise.all([api.stop(), floor.stop()]);
  const figures = (path: string, figure: ReturnType<typeof comparing<Cost>>): Figure[] => [
    figure(`POST ${path}, CPU of all processes`, 'µs', ({ all }) => all),
    figure(`POST ${path}, CPU of the API`, 'µs', ({ api }) => api),
    figure(`POST ${path}, CPU of Redis`, 'µs', ({ redis }) => redis),
    figure(`POST ${path}, requests`, '1/s', ({ perSecond }) => perSecond),
  ];
  return [
    ...figures('/game/start', comparing(starts, 'bare Fastify, GET and SET', floorStarts)),
    ...figures('/game/answer', comparing(answers, 'bare Fastify, GET and script', floorAnswers)),
  ];
}

function open(url: string, cookies: string[]): Promise<HttpConnection[]> {
  return Promise.all(cookies.map((cookie) => openHttp(url, cookie)));
}

async function cost(stage: Stage, child: Child, requests: number, run: () => Promise<void>): Promise<Cost> {
  const { cost: used, durationMs } = await measure(stage, { apis: [child] }, run);
  return { ...eachOf(used, requests), perSecond: (requests * 1000) / durationMs };
}

/** @param sessions receives the replies by connection */
async function startSessions(connections: HttpConnection[], sessions: Map<HttpConnection, string[]>): Promise<void> {
  const start = async (connection: HttpConnection) => {
    const started: string[] = [];
    for (let count = 0; count < SESSIONS; count++)
      started.push(await connection.post('/api/v1/game/start', { questionCount: QUESTIONS }, 201));
    sessions.set(connection, started);
  };
  await Promise.all(connections.map(start));
}

async function answerAll(connections: HttpConnection[], sessions: Map<HttpConnection, string[]>): Promise<void> {
  const answer = async (connection: HttpConnection) => {
    for (const text of sessions.get(connection) ?? []) {
      const { sessionId, questions } = JSON.parse(text) as { sessionId: string; questions: { questionId: string }[] };
      for (const { questionId } of questions)
        await connection.post('/api/v1/game/answer', { sessionId, questionId, optionId: 1 }, 200);
    }
  };
  await Promise.all(connections.map(answer));
}

async function callFloor(connections: HttpConnection[], path: string, requests: number): Promise<void> {
  const body = { sessionId: crypto.randomUUID(), questionId: crypto.randomUUID(), optionId: 1 };
  const call = async (connection: HttpConnection) => {
    for (let count = 0; count < requests / connections.length; count++) await connection.post(path, body, 200);
  };
  await Promise.all(connections.map(call));
}
