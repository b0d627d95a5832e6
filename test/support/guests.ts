// Guests, and accounts that take over what guests have played.
import { expect } from 'vitest';
import { PASSWORD, signIn } from './accounts.ts';
import { useArena } from './arena.ts';
import { eventually } from './eventually.ts';
import { answer } from './game.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { gather, type Player, playerOf } from './player.ts';
import { createPerson, type TestUser } from './users.ts';

export function useGuests(env: NodeJS.ProcessEnv = {}) {
  const arena = useArena({ env: { GUESTS: 'true', ROUND_DURATION_MS: '60000', TRUST_PROXY: 'loopback', ...env } });
  const url = (replica = 0) => arena.replicas[replica]?.url as string;
  let addresses = 0;

  async function ask(body: object, client = createHttpClient(url())) {
    const from = { 'x-forwarded-for': `203.0.113.${++addresses}` };
    return { client, ...(await client.post('/api/v1/guests', body, from)) };
  }

  return {
    arena,
    services: () => arena.services,
    url,
    /** Asks for a guest, from a client address of its own. */
    ask,
    async guest(name: string): Promise<Player> {
      const { client, body } = await eventually(async () => {
        const made = await ask({ name });
        expect(made.status).toBe(201);
        return made;
      });
      return playerOf({ ...body.user, email: '', cookie: client.cookie() }, url());
    },
    account: async (): Promise<TestUser> => (await createPerson(arena.replicas[0], { password: PASSWORD })).user,
    /** Signs in with the cookies of the player's browser. @returns the browser's client */
    async signIn({ email }: TestUser, { user }: Player): Promise<HttpClient> {
      const client = createHttpClient(url(), { cookie: user.cookie });
      expect((await signIn(client, email)).status).toBe(200);
      return client;
    },
    /** Plays a game of one round, in which the first player hosts and wins. @returns its id */
    async play(guests: Player[]): Promise<string> {
      // New clients have the events of no earlier game.
      const players = guests.map(({ user }) => playerOf(user, url()));
      const [host, ...others] = players as [Player, ...Player[]];
      for (const player of players) await player.connect();
      await gather(players, { settings: { rounds: 1 } });
      host.send({ type: 'lobby:start' });
      await answer(arena, host, 1, 'right');
      for (const other of others) await answer(arena, other, 1, 'wrong');
      return (await host.next('game:finished')).gameId;
    },
  };
}
