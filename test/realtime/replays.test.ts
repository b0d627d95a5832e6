// A replay that exceeds a socket's send buffer reaches every client that reads, however slowly.
// [contract 5.9, 19]
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { putRoster } from '../../src/lobby/event-log.ts';
import type { Roster } from '../../src/lobby/schema.ts';
import { findById, type StoredLobby } from '../../src/lobby/store.ts';
import type { Services } from '../../src/services.ts';
import { useFarReplica } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { eventsOf, lastOf, lobbyIdOf } from '../support/game.ts';
import { gather, type Player, playerOf } from '../support/player.ts';

/** The number of events of a replay, which together have three times the size of a socket's send buffer. */
const EVENTS = 150;
const NAME_LENGTH = 10_000;

const { arena, network, far } = useFarReplica({ replicas: 1, workers: 0 });

const services = () => arena.replicas[0]?.services as Services;

/** Opens a lobby. @returns its players, and a roster with long names, so that its events are large */
async function openLobby(): Promise<{ ada: Player; ben: Player; code: string; roster: Roster }> {
  const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
  const code = await gather([ada, ben], { capacity: 50 });
  const { roster } = (await findById(services().db, lobbyIdOf(ada))) as StoredLobby;
  const players = roster.players.map((player) => ({ ...player, name: 'x'.repeat(NAME_LENGTH) }));
  return { ada, ben, code, roster: { ...roster, players } };
}

/** Appends an event with the roster `count` times. @param from the version of the first */
async function makeEvents(roster: Roster, from: number, count: number): Promise<void> {
  for (let version = from; version < from + count; version++) await putRoster(services(), { roster, version });
}

/** Makes the player read for 10 ms and pause for 10 ms, in turn. @returns a function that ends it */
function readSlowly(player: Player): () => void {
  let isReading = false;
  const timer = setInterval(() => {
    isReading = !isReading;
    if (isReading) player.resume();
    else player.pause();
  }, 10);
  return () => {
    clearInterval(timer);
    player.resume();
  };
}

/** Expects that `player` got each event after `since` once, in order, and equal to Ada's. */
async function expectAllEvents(player: Player, ada: Player, since: number): Promise<void> {
  await eventually(() => expect(player.lastSeq()).toBe(ada.lastSeq()));
  const after = (of: Player) => eventsOf(of).filter(({ seq }) => seq > since);
  const numbers = after(player).map(({ seq }) => seq);
  expect(numbers).toEqual(numbers.map((_, index) => since + 1 + index));
  expect(after(player)).toEqual(after(ada));
}

it('a socket that resumes and reads slowly gets each missed and each new event once and in order', async () => {
  const { ada, ben, code, roster } = await openLobby();
  const last = lastOf(ben);
  ben.drop();
  await makeEvents(roster, 100, EVENTS);
  await ben.connect();
  const stopReadingSlowly = readSlowly(ben);
  ben.send({ type: 'lobby:join', code, ...last });
  await makeEvents(roster, 1000, EVENTS / 3);
  await sleep(500);
  stopReadingSlowly();
  await expectAllEvents(ben, ada, last.since);
});

it('sockets whose replica had lost Redis get each missed event, however slowly they read', async () => {
  const { ada, ben, code, roster } = await openLobby();
  const watchers = Array.from({ length: 5 }, () => playerOf(ben.user, far.url));
  for (const watcher of watchers) {
    await watcher.connect();
    watcher.send({ type: 'lobby:join', code });
    await watcher.next('lobby:state');
  }
  await eventually(() => expect(new Set([ada, ...watchers].map((player) => player.lastSeq())).size).toBe(1));
  const since = ada.lastSeq();
  await network.block();
  await makeEvents(roster, 100, EVENTS);
  const stops = watchers.map(readSlowly);
  await network.unblock();
  await eventually(() => expect(watchers[0]?.lastSeq()).toBeGreaterThan(since));
  await makeEvents(roster, 1000, EVENTS / 3);
  for (const stop of stops) stop();
  for (const watcher of watchers) await expectAllEvents(watcher, ada, since);
  for (const watcher of watchers) watcher.drop();
});
