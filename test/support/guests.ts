// Guests, and accounts that take over what guests have played.
import { expect } from 'vitest';
import { type Arena, useArena } from './arena.ts';
import { eventually } from './eventually.ts';
import { answer } from './game.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { type Player, playerOf, postUntilDone } from './player.ts';
import { createPerson, type TestUser } from './users.ts';

export const PASSWORD = 'correct horse';

/**
 * Two replicas with guests for all tests of a file.
 * @param env overrides, as in the environment
 */
export function useGuests(env: NodeJS.ProcessEnv = {}) {
  const arena = useArena({ env: { GUESTS: 'true', ROUND_DURATION_MS: '60000', TRUST_PROXY: 'loopback', ...env } });
  const services = () => arena.services;
  const url = (replica = 0) => arena.replicas[replica]?.url as string;
  let addresses = 0;

  async function ask(body: object, client = createHttpClient(url())) {
    const from = { 'x-forwarded-for': `203.0.113.${++addresses}` };
    return { client, ...(await client.post('/api/v1/guests', body, from)) };
  }

  return {
    arena,
    services,
    url,
    /** Asks for a guest, from a client address of its own. */
    ask,
    /** @returns the player's client of a new guest */
    async guest(name: string): Promise<Player> {
      const { client, body } = await eventually(async () => {
        const made = await ask({ name });
        if (made.status !== 201) throw new Error(`guest: ${made.status}`);
        return made;
      });
      return playerOf({ ...body.user, email: '', cookie: client.cookie() }, url());
    },
    /** @returns a new account that can sign in by password */
    account: async (): Promise<TestUser> => (await createPerson(arena.replicas[0], { password: PASSWORD })).user,
    /** Signs in with the cookies of the player's browser. @returns the browser's client */
    async signIn({ email }: TestUser, { user }: Player): Promise<HttpClient> {
      const client = createHttpClient(url(), { cookie: user.cookie });
      const answered = await client.post('/api/auth/sign-in/email', { email, password: PASSWORD });
      expect(answered.status).toBe(200);
      return client;
    },
    /** Plays a game of one round, in which the first player hosts and wins. @returns its id */
    play: (players: Player[]): Promise<string> => playRound(arena, players, url()),
  };
}

async function playRound(arena: Arena, guests: Player[], url: string): Promise<string> {
  // New clients have the events of no earlier game.
  const players = guests.map(({ user }) => playerOf(user, url));
  const [host, ...others] = players as [Player, ...Player[]];
  const { code } = await postUntilDone(host, '/api/v1/lobbies', { settings: { rounds: 1 } });
  for (const other of others) await postUntilDone(other, `/api/v1/lobbies/${code}/join`, {});
  for (const player of players) {
    await player.connect();
    player.send({ type: 'lobby:join', code });
    await player.next('lobby:state', ({ lobby }) => lobby.players.length === players.length);
  }
  host.send({ type: 'lobby:start' });
  await answer(arena, host, 1, 'right');
  for (const other of others) await answer(arena, other, 1, 'wrong');
  return (await host.next('game:finished')).gameId;
}
