// Three hundred sockets that do the same at the same time: nobody is refused for it, and nothing is
// left to do when they have gone. [contract 1, 17]
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import type { ServerMessage } from '../../src/realtime/schema.ts';
import type { Services } from '../../src/services.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient } from '../support/http-client.ts';
import { gather, type Player } from '../support/player.ts';
import { createSignedInUser } from '../support/users.ts';

const CROWD = 300;

let members: Player[];
let code: string;
const arena = useArena({ workers: 0, replicas: 1 });
beforeAll(async () => {
  members = await arena.players(...Array.from({ length: 10 }, (_, index) => `Player ${index}`));
  code = await gather(members, { capacity: 10 });
});
afterEach(() => vi.restoreAllMocks());

const services = () => arena.replicas[0]?.services as Services;

interface Client {
  socket: WebSocket;
  messages: ServerMessage[];
}

/** Sockets of the lobby's members. */
async function openCrowd(): Promise<Client[]> {
  const clients: Client[] = [];
  for (let index = 0; index < CROWD; index++) {
    const { cookie } = (members[index % members.length] as Player).user;
    const url = `${arena.replicas[0]?.url.replace('http', 'ws')}/ws`;
    const socket = new WebSocket(url, { headers: { cookie } });
    const messages: ServerMessage[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(data.toString())));
    socket.on('error', () => {});
    clients.push({ socket, messages });
    if (index % 20 === 19) await Promise.all(clients.slice(-20).map(opened));
  }
  return clients;
}

async function opened({ socket }: Client): Promise<void> {
  if (socket.readyState !== socket.OPEN) await once(socket, 'open');
}

/** Statements that this replica has sent to PostgreSQL, by the server's own count. */
async function transactions(): Promise<number> {
  const [row] = await services().db.$queryRaw<{ count: bigint }[]>`
    SELECT xact_commit + xact_rollback AS count FROM pg_stat_database
     WHERE datname = current_database()`;
  return Number(row?.count);
}

it('300 that join one lobby at once are all let in', async () => {
  const clients = await openCrowd();
  const join = JSON.stringify({ type: 'lobby:join', code });
  for (const { socket } of clients) socket.send(join);
  await eventually(() => {
    const waiting = clients.filter(({ messages }) => messages.length === 0);
    expect(waiting).toHaveLength(0);
  });
  const errors = clients.flatMap(({ messages }) => messages.filter(({ type }) => type === 'error'));
  expect(errors).toEqual([]);
  for (const { socket } of clients) socket.terminate();
});

it('300 that send lobby:join and are cut leave nothing behind that PostgreSQL must do', async () => {
  const clients = await openCrowd();
  const before = await transactions();
  const join = JSON.stringify({ type: 'lobby:join', code });
  for (const { socket } of clients) for (let sent = 0; sent < 40; sent++) socket.send(join);
  for (const { socket } of clients) socket.terminate();
  // The server counts a session's work when the session pauses, or after a second.
  await sleep(2000);
  const soon = await transactions();
  await sleep(2000);
  const later = await transactions();
  // The comparison of lobbies with what was announced goes on, every ten seconds.
  expect(later - soon).toBeLessThan(60);
  expect(soon - before).toBeLessThan(CROWD * 4);
});

it('300 that join one lobby over HTTP at once get its places, or are told that it is full', async () => {
  const [host] = members as [Player];
  const { body: lobby } = await host.http.post('/api/v1/lobbies', { capacity: 50 });
  const crowd = await Promise.all(
    Array.from({ length: CROWD }, () => createSignedInUser(services())),
  );
  const url = arena.replicas[0]?.url as string;
  const statuses = await Promise.all(
    crowd.map(async ({ cookie }) => {
      const http = createHttpClient(url, { cookie });
      return (await http.post(`/api/v1/lobbies/${lobby.code}/join`)).status;
    }),
  );
  const count = (wanted: number) => statuses.filter((status) => status === wanted).length;
  expect([count(200), count(409)]).toEqual([49, CROWD - 49]);
});
