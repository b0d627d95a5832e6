// During an outage the log summarises refusals in a few lines, instead of a line with a stack trace for each
// request and message. [contract 17]
import { expect, it, vi } from 'vitest';
import { useArena } from '../support/arena.ts';
import { captureLog } from '../support/log-capture.ts';
import { gather } from '../support/player.ts';
import { SHORT_OUTAGES } from '../support/service.ts';
import { advanceTime } from '../support/stopwatch.ts';
import { attemptUpgrade } from '../support/upgrade.ts';

// A process counts one outage of a store at a time, also one that an earlier file has left, whose end is in another log:
// this file gets modules of its own.
vi.hoisted(() => vi.resetModules());

const log = captureLog();
const options = { workers: 0, replicas: 1, env: { ...SHORT_OUTAGES, LOG_LEVEL: 'info' }, log: log.stream };
const arena = useArena(options);

/** An outage is over after this time without a refusal, ms. */
const OVER_MS = 5000;

it('an outage is logged in a few lines with a count, however much it refuses', async () => {
  const players = await arena.players('Ada', 'Ben', 'Carl');
  await gather(players);
  log.clear();
  arena.stores.redis.pause();
  for (const player of players) for (let sent = 0; sent < 20; sent++) player.send({ type: 'game:ready' });
  const requests = players.flatMap(({ http, user }) => [
    ...Array.from({ length: 10 }, () => http.get('/api/v1/vocabulary')),
    ...Array.from({ length: 10 }, () => http.post('/api/v1/lobbies', {})),
    http.post('/api/auth/sign-in/email', { email: user.email, password: 'wrong-password' }),
    attemptUpgrade(`${arena.replicas[0].url}/ws`, { cookie: user.cookie }),
  ]);
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([503]));
  arena.stores.redis.resume();
  advanceTime(OVER_MS);
  const summary = () => log.lines().find(({ msg }) => msg === 'a store was away');
  await expect.poll(summary).toMatchObject({ store: 'redis' });
  // A socket handles its messages one after the other, so that at least one of each was refused.
  expect(summary()?.refused).toBeGreaterThanOrEqual(requests.length + players.length);
  expect(log.lines().filter(({ err }) => err?.stack).length).toBeLessThanOrEqual(4);
  expect(log.lines().length).toBeLessThan(15);
});
