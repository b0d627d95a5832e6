// Three hundred sockets do the same at the same time: none of them is refused, and they leave no work behind.
// [contract 1, 17]
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import type { ServerMessage } from '../../src/realtime/schema.ts';
import type { Services } from '../../src/services.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { gather, type Player } from '../support/player.ts';

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

/** Opens the sockets of the crowd, as members of the lobby. */
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

/** @returns the transactions in this database, as PostgreSQL counts them */
async function countTransactions(): Promise<number> {
  const [row] = await services().db.$queryRaw<{ count: bigint }[]>`
    SELECT xact_commit + xact_rollback AS count FROM pg_stat_database
     WHERE datname = current_database()`;
  return Number(row?.count);
}

it('300 sockets that join one lobby at once are all let in', async () => {
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

it('300 sockets that send lobby:join and are cut leave no work for PostgreSQL', async () => {
  const clients = await openCrowd();
  const before = await countTransactions();
  const join = JSON.stringify({ type: 'lobby:join', code });
  for (const { socket } of clients) for (let sent = 0; sent < 40; sent++) socket.send(join);
  for (const { socket } of clients) socket.terminate();
  const soon = await eventually(async () => {
    const earlier = await countTransactions();
    // PostgreSQL publishes a session's count when the session is idle, or after a second.
    await sleep(2000);
    const later = await countTransactions();
    // The reconciler goes on comparing lobbies with what was announced, every ten seconds.
    expect(later - earlier).toBeLessThan(60);
    return later;
  });
  expect(soon - before).toBeLessThan(CROWD * 4);
});
