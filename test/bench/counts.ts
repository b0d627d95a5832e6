// Counts the requests to the stores: SQL statements from the creation of a lobby to the start of its game,
// and Redis commands of an idle lobby.
import { setTimeout } from 'node:timers/promises';
import { createSignedInUser } from '../support/users.ts';
import type { Child } from './child.ts';
import type { Figure } from './figures.ts';
import { type HttpConnection, openHttp } from './http-load.ts';
import type { Counts } from './processes/counted.ts';
import { joinLobbyRoom, openSocket, type TimedSocket } from './socket.ts';
import type { Stage } from './stage.ts';

const LOBBIES = 40;
const PLAYERS = 4;
const IDLE_MS = 20_000;

export async function measureCounts(stage: Stage): Promise<Figure[]> {
  const apis = [await stage.startCountedApi(), await stage.startCountedApi()];
  const users = await Promise.all(
    Array.from({ length: PLAYERS }, async (_, index) => {
      const { cookie } = await createSignedInUser(stage.services);
      const { url } = apis[index % apis.length] as (typeof apis)[0];
      return { cookie, url, http: await openHttp(url, cookie) };
    }),
  );
  const [host, ...others] = users.map(({ http }) => http) as [HttpConnection, ...HttpConnection[]];
  const idleBefore = await countsOf(apis, () => setTimeout(IDLE_MS));

  const codes: string[] = [];
  const made = await countsOf(apis, async () => {
    for (let lobby = 0; lobby < LOBBIES; lobby++) {
      codes.push(JSON.parse(await host.post('/api/v1/lobbies', {}, 201)).code);
    }
  });
  const joined = await countsOf(apis, async () => {
    for (const code of codes) for (const http of others) await http.post(`/api/v1/lobbies/${code}/join`, {}, 200);
  });
  const hosts: TimedSocket[] = [];
  const sockets: TimedSocket[] = [];
  const entered = await countsOf(apis, async () => {
    for (const code of codes) {
      for (const { url, cookie } of users) {
        const socket = await openSocket(url, cookie);
        await joinLobbyRoom(socket, code);
        sockets.push(socket);
      }
      hosts.push(sockets.at(-PLAYERS) as TimedSocket);
    }
  });
  const idle = await countsOf(apis, () => setTimeout(IDLE_MS));
  const started = await countsOf(apis, async () => {
    for (const socket of hosts) {
      const asked = socket.next(({ type }) => type === 'game:question');
      socket.send({ type: 'lobby:start' });
      await asked;
    }
  });
  for (const socket of sockets) socket.close();
  for (const { http } of users) http.close();
  await Promise.all(apis.map((api) => api.stop()));

  const idleCommands = idle.commands - idleBefore.commands;
  const figure = (name: string, unit: string, value: number): Figure => ({ name, unit, values: [value] });
  return [
    figure('making a lobby', 'statements', made.statements / LOBBIES),
    figure('joining it over HTTP', 'statements', joined.statements / LOBBIES / others.length),
    figure('entering it', 'statements', entered.statements / LOBBIES / PLAYERS),
    figure('starting its game', 'statements', started.statements / LOBBIES),
    figure('an idle lobby of 4 on 2 replicas', 'commands/s', idleCommands / LOBBIES / (IDLE_MS / 1000)),
  ];
}

async function countsOf(apis: Child[], work: () => Promise<unknown>): Promise<Counts> {
  const read = async () => {
    const all = await Promise.all(apis.map((api) => api.ask<Counts>('counts')));
    const sum = (part: keyof Counts) => all.reduce((total, one) => total + one[part], 0);
    return { statements: sum('statements'), commands: sum('commands') };
  };
  const before = await read();
  await work();
  const after = await read();
  return { statements: after.statements - before.statements, commands: after.commands - before.commands };
}
