// Single-player over HTTP: requests a second and CPU a request, against a bare Fastify route with one
// script in Redis; and what of it the session check costs.
import { freePort } from '../../src/local-stack/ports.ts';
import { createSignedInUser } from '../support/users.ts';
import type { Child } from './child.ts';
import type { Figure } from './figures.ts';
import { type HttpConnection, openHttp } from './http-load.ts';
import type { Stage } from './stage.ts';

const REPETITIONS = 5;
const CONNECTIONS = 8;
const SESSIONS = 40;
const QUESTIONS = 10;
const SESSION_CHECKS = 4000;

interface Cost {
  perSecond: number;
  cpuUs: number;
}

export async function measureRequests(stage: Stage): Promise<Figure[]> {
  const { services } = stage;
  const { cookie } = await createSignedInUser(services);
  const api = await stage.startApi();
  const port = await freePort();
  const floor = await stage.startFloor('floor-http', String(port), stage.redisUrl);
  const connections = await open(api.url, cookie);
  const floorConnections = await open(`http://127.0.0.1:${port}`, cookie);

  const runs: Record<'start' | 'answer' | 'floor', Cost[]> = { start: [], answer: [], floor: [] };
  const checks: number[] = [];
  // The first one warms up.
  for (let repetition = 0; repetition <= REPETITIONS; repetition++) {
    const sessions = new Map<HttpConnection, string[]>();
    runs.start[repetition] = await cost(api, CONNECTIONS * SESSIONS, () =>
      startSessions(connections, sessions),
    );
    const answers = CONNECTIONS * SESSIONS * QUESTIONS;
    runs.answer[repetition] = await cost(api, answers, () => answerAll(connections, sessions));
    runs.floor[repetition] = await cost(floor, answers, () => callFloor(floorConnections));
    checks[repetition] = await sessionCheckUs(stage, cookie);
  }
  for (const connection of [...connections, ...floorConnections]) connection.close();
  await Promise.all([api.stop(), floor.stop()]);

  const of = (run: keyof typeof runs, part: keyof Cost) =>
    runs[run].slice(1).map((measured) => measured[part]);
  const bare = (part: keyof Cost) => ({
    name: 'bare Fastify, one script',
    values: of('floor', part),
  });
  return [
    ...(['start', 'answer'] as const).flatMap((run): Figure[] => [
      {
        ...{ name: `POST /game/${run}, requests`, unit: '1/s' },
        ...{ values: of(run, 'perSecond'), floor: bare('perSecond') },
      },
      {
        ...{ name: `POST /game/${run}, CPU a request`, unit: 'µs' },
        ...{ values: of(run, 'cpuUs'), floor: bare('cpuUs') },
      },
    ]),
    {
      ...{ name: 'session check, CPU', unit: 'µs', values: checks.slice(1) },
      floor: { name: 'a whole POST /game/answer', values: of('answer', 'cpuUs') },
    },
  ];
}

function open(url: string, cookie: string): Promise<HttpConnection[]> {
  return Promise.all(Array.from({ length: CONNECTIONS }, () => openHttp(url, cookie)));
}

async function cost(child: Child, requests: number, run: () => Promise<void>): Promise<Cost> {
  const before = await child.usage();
  const startedMs = performance.now();
  await run();
  const seconds = (performance.now() - startedMs) / 1000;
  const after = await child.usage();
  const cpuUs = ((after.cpuMs - before.cpuMs) * 1000) / requests;
  return { perSecond: requests / seconds, cpuUs };
}

/** @param sessions takes what the service answers, by the connection that asked */
async function startSessions(
  connections: HttpConnection[],
  sessions: Map<HttpConnection, string[]>,
): Promise<void> {
  await onEach(connections, async (connection) => {
    const started: string[] = [];
    for (let count = 0; count < SESSIONS; count++) {
      started.push(await connection.post('/api/v1/game/start', { questionCount: QUESTIONS }, 201));
    }
    sessions.set(connection, started);
  });
}

async function answerAll(
  connections: HttpConnection[],
  sessions: Map<HttpConnection, string[]>,
): Promise<void> {
  await onEach(connections, async (connection) => {
    for (const text of sessions.get(connection) ?? []) {
      const { sessionId, questions } = JSON.parse(text) as {
        sessionId: string;
        questions: { questionId: string }[];
      };
      for (const { questionId } of questions) {
        await connection.post('/api/v1/game/answer', { sessionId, questionId, optionId: 1 }, 200);
      }
    }
  });
}

async function callFloor(connections: HttpConnection[]): Promise<void> {
  const body = { sessionId: crypto.randomUUID(), questionId: crypto.randomUUID(), optionId: 1 };
  await onEach(connections, async (connection) => {
    for (let count = 0; count < SESSIONS * QUESTIONS; count++) {
      await connection.post('/floor', body, 200);
    }
  });
}

async function onEach(
  connections: HttpConnection[],
  run: (connection: HttpConnection) => Promise<void>,
): Promise<void> {
  await Promise.all(connections.map(run));
}

/** The same call that every guarded request makes, with as many at once. */
async function sessionCheckUs({ services }: Stage, cookie: string): Promise<number> {
  const before = process.cpuUsage();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let count = 0; count < SESSION_CHECKS / CONNECTIONS; count++) {
        await services.userSessions.findAndRenew({ cookie });
      }
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return (user + system) / SESSION_CHECKS;
}
