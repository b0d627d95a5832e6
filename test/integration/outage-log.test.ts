// Somebody is woken by an outage at three: the log says in a few lines what was refused, not in a line
// with a stack for each request and message. [contract 17]
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Arena, startArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { gather, type Player } from '../support/player.ts';
import { attemptUpgrade } from '../support/upgrade.ts';

let arena: Arena;
// biome-ignore lint/suspicious/noExplicitAny: lines of any shape
const lines: any[] = [];
beforeAll(async () => {
  const log = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line));
      done();
    },
  });
  arena = await startArena({ workers: 0, replicas: 1, env: { LOG_LEVEL: 'info' }, log });
});
afterAll(() => arena.stop());

it('an outage is a few lines with a count, whatever it refuses', async () => {
  const players = (await arena.players('Ada', 'Ben', 'Carl')) as Player[];
  await gather(players);
  const url = arena.replicas[0]?.url as string;
  lines.length = 0;
  arena.stores.redis.pause();
  for (const player of players)
    for (let sent = 0; sent < 20; sent++) player.send({ type: 'game:ready' });
  const requests = players.flatMap(({ http, user }) => [
    ...Array.from({ length: 10 }, () => http.get('/api/v1/vocabulary')),
    ...Array.from({ length: 10 }, () => http.post('/api/v1/lobbies', {})),
    http.post('/api/auth/sign-in/email', { email: user.email, password: 'wrong-password' }),
    attemptUpgrade(`${url}/ws`, { cookie: user.cookie }),
  ]);
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([503]));
  arena.stores.redis.resume();
  const summary = await eventually(() => {
    const found = lines.find(({ msg }) => msg === 'a store was away');
    if (!found) throw new Error('not over yet');
    return found;
  });
  // Messages too: those of one socket are refused one after the other.
  expect(summary.refused).toBeGreaterThanOrEqual(requests.length + players.length);
  expect(lines.filter(({ err }) => err?.stack).length).toBeLessThanOrEqual(4);
  expect(lines.length).toBeLessThan(15);
});
