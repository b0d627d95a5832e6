// The time of a reply does not reveal whether an account exists. Passwords are hashed at the cost of
// production, so that a reply without a hash would be faster. [contract 17]
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createHttpClient } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser, givePassword } from '../support/users.ts';

const SIGN_UP = { name: 'Ada', password: 'correct horse' };
const OPERATIONS = [
  ['/sign-up/email', SIGN_UP],
  ['/request-password-reset', { redirectTo: '/choose' }],
  ['/send-verification-email', { callbackURL: '/welcome' }],
  ['/sign-in/email', { password: 'a wrong password' }],
] as const;

const ROUNDS = 15;
/** The difference that a busy machine may make, ms. On an idle one, the medians of 200 are within 2 ms. */
const SLACK_MS = 10;

const { service } = useService({ RATE_LIMIT_ACCOUNT_MAX: '1000000', PASSWORD_HASH_COST: '' });
const newEmail = () => `${randomUUID().slice(0, 12)}@example.com`;
const ask = (path: string, body: object, email: string) =>
  createHttpClient(service.url).post(`/api/auth${path}`, { ...body, email });

let verified: string;
let unverified: string;
beforeAll(async () => {
  const { id, email } = await createSignedInUser(service.services);
  await givePassword(service.services, id, 'the password of the owner');
  verified = email;
  unverified = newEmail();
  await ask('/sign-up/email', { ...SIGN_UP, password: 'the first of all' }, unverified);
});

test.for(OPERATIONS)('%s takes as long for a known address as for another', async ([path, body]) => {
  const timesMs = { known: [] as number[], unverified: [] as number[], unknown: [] as number[] };
  const timed = async (email: string, into: number[]) => {
    const startedMs = performance.now();
    await ask(path, body, email);
    into.push(performance.now() - startedMs);
  };
  await timed(newEmail(), []);
  for (let round = 0; round < ROUNDS; round++) {
    await timed(verified, timesMs.known);
    await timed(newEmail(), timesMs.unknown);
    await timed(unverified, timesMs.unverified);
  }
  const bound = SLACK_MS + 0.25 * median(timesMs.unknown);
  // The times of one round are compared, since what else the machine does changes from round to round.
  for (const times of [timesMs.known, timesMs.unverified]) {
    const moreMs = median(times.map((ms, round) => ms - (timesMs.unknown[round] as number)));
    expect(Math.abs(moreMs)).toBeLessThan(bound);
  }
});

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
