// A client that goes away in mid-request is no failure of a store, and no error line. [contract 17]
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { registeredRoutes } from '../support/edge.ts';
import { captureLog } from '../support/log-capture.ts';
import { useService } from '../support/service.ts';
import { createPerson } from '../support/users.ts';

const log = captureLog();
const env = { LOG_LEVEL: 'info', GUESTS: 'true', RATE_LIMIT_GUEST_MAX: '1000000' };
const { service } = useService(env, { log: log.stream });

const ID = '00000000-0000-4000-8000-000000000000';

const ENDS: Record<string, (socket: Socket) => void> = {
  'a reset': (socket) => socket.resetAndDestroy(),
  'an end': (socket) => socket.destroy(),
};

const PHASES: Record<string, (socket: Socket, head: string, end: () => void) => void> = {
  'in the headers': (socket, head, end) => socket.write(head.slice(0, -4), end),
  'before the body': (socket, head, end) => socket.write(extended(head, 'content-length: 900\r\n\r\n'), end),
  'in the body': (socket, head, end) => socket.write(extended(head, 'content-length: 900\r\n\r\n{"name":"'), end),
  'in a chunk': (socket, head, end) => socket.write(extended(head, 'transfer-encoding: chunked\r\n\r\n9\r\n{"na'), end),
  'in the next turn': (socket, head, end) => socket.write(head, () => setImmediate(end)),
  'with the request': (socket, head, end) => socket.write(head, end),
  'in the reply': (socket, head, end) => {
    socket.once('data', end);
    socket.write(head);
  },
};

const extended = (head: string, more: string) => head.replace(/\r\n$/, more);

/** Sends a request to each route, whose client goes away. */
async function abortAll(abort: (typeof PHASES)[string], end: (typeof ENDS)[string]): Promise<void> {
  const { hostname, port, origin } = new URL(service.url);
  const routes = registeredRoutes(service.app).filter(({ path }) => path !== '/ws');
  expect(routes.length).toBeGreaterThan(40);
  // Some routes sign out or delete the user.
  const { cookie } = (await createPerson(service)).user;
  for (const { method, path } of routes) {
    const address = path.replace(/:\w*Id\b/g, ID).replace(/:\w+|\*$/g, 'ZZZZZZ');
    const fields = [`host: x`, `cookie: ${cookie}`, `origin: ${origin}`];
    const type = method === 'GET' || method === 'HEAD' ? [] : ['content-type: application/json'];
    const head = [`${method} ${address} HTTP/1.1`, ...fields, ...type, '', ''].join('\r\n');
    const socket = connect(Number(port), hostname, () => abort(socket, head, () => end(socket)));
    await new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
  }
}

const CASES = Object.entries(PHASES).flatMap(([phase, abort]) =>
  Object.entries(ENDS).map(([name, end]) => [phase, name, abort, end] as const),
);
it.each(CASES)('no request that is aborted %s by %s is a failure', async (_phase, _end, abort, end) => {
  log.clear();
  await Promise.all([abortAll(abort, end), abortAll(abort, end)]);
  // What was begun before these is done after them, since they use the same connections to the stores.
  const { client } = await createPerson(service);
  for (const path of ['/api/v1/vocabulary', '/api/v1/games', '/api/auth/get-session']) await client.get(path);
  await expect.poll(async () => (await client.get('/api/health')).body.status).toBe('ok');
  // A busy machine stalls the process, and even its connections to the stores, which is logged without a request.
  const problems = log.lines().filter(({ level }) => level >= 40);
  expect(problems.filter(({ requestId, err }) => requestId || err?.message === 'aborted')).toEqual([]);
});
