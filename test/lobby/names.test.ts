// The names of players in a lobby whose host wants them to differ, or gives them. [contract 22]
import { describe, expect, it } from 'vitest';
import { NAME_WORDS } from '../../src/names/friendly-name.ts';
import { useArena } from '../support/arena.ts';
import { answer } from '../support/game.ts';
import type { HttpClient } from '../support/http-client.ts';
import { enter, gather } from '../support/player.ts';
import type { TestService } from '../support/service.ts';
import { createPerson } from '../support/users.ts';

const arena = useArena({ env: { ROUND_DURATION_MS: '60000' } });

const newcomer = async (name: string, replica = 0): Promise<HttpClient> =>
  (await createPerson(arena.replicas[replica] as TestService, { name })).client;

async function lobbyOf(host: HttpClient, settings: object, capacity = 50): Promise<string> {
  const { status, body } = await host.post('/api/v1/lobbies', { capacity, settings });
  expect(status).toBe(201);
  return body.code;
}

const join = async (user: HttpClient, code: string, headers = {}) =>
  (await user.post(`/api/v1/lobbies/${code}/join`, {}, headers)).body;

/** @returns the names in a lobby, in the order of joining */
const namesIn = async (user: HttpClient, code: string): Promise<string[]> =>
  (await user.get(`/api/v1/lobbies/${code}/players?limit=200`)).body.players.map(({ name }: { name: string }) => name);

const isFriendly = (name: string) => {
  const { adjectives, nouns } = NAME_WORDS.en;
  const [adjective = '', noun = ''] = name.split(' ');
  return adjectives.includes(adjective) && nouns.includes(noun);
};

describe('names: unique', () => {
  it('puts a number behind a name that a member has, compared without case and form, cut so that both fit', async () => {
    const host = await newcomer('Ms Mia');
    const code = await lobbyOf(host, { names: 'unique' });
    const long = 'ü'.repeat(50);
    const wanted = ['Mia', 'mia', 'MIA', 'Ｍｉａ', 'ms mia', long, long, 'Mia 3'];
    for (const name of wanted) await join(await newcomer(name), code);
    const given = ['Mia', 'mia 2', 'MIA 3', 'Ｍｉａ 4', 'ms mia 2', long, `${'ü'.repeat(48)} 2`, 'Mia 3 2'];
    expect(await namesIn(host, code)).toEqual(['Ms Mia', ...given]);
  });

  it('skips a number that somebody has in the own name', async () => {
    const host = await newcomer('Host');
    const code = await lobbyOf(host, { names: 'unique' });
    for (const name of ['Mia 2', 'Mia 3', 'Mia', 'Mia', 'Mia']) await join(await newcomer(name), code);
    const names = await namesIn(host, code);
    expect(names.slice(0, 4)).toEqual(['Host', 'Mia 2', 'Mia 3', 'Mia']);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names.slice(4)) expect(name).toMatch(/^Mia \d+$/);
  });

  it('gives each of many concurrent joins under one name another number, on two replicas', async () => {
    const host = await newcomer('Host');
    const code = await lobbyOf(host, { names: 'unique' });
    const crowd = await Promise.all(Array.from({ length: 24 }, (_, at) => newcomer('Mia', at % 2)));
    const replies = await Promise.all(crowd.map((user) => join(user, code)));
    expect(replies.every(({ status }) => status === 'waiting')).toBe(true);
    const names = (await namesIn(host, code)).slice(1);
    const numbers = names.map((name) => Number(/^Mia (\d+)$/.exec(name)?.[1] ?? 1));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from(crowd, (_, at) => at + 1));
  });

  it('holds for later joins alone, knows who is there already, and a rejoin keeps its name', async () => {
    const [ada, ben] = await arena.players('Mia', 'Mia');
    const code = await gather([ada, ben]);
    await ada.acked({ type: 'lobby:configure', settings: { names: 'unique' } });
    const later = await newcomer('Mia');
    for (let time = 0; time < 2; time++) {
      await join(later, code);
      expect(await namesIn(ada.http, code)).toEqual(['Mia', 'Mia', 'Mia 2']);
    }
  });
});

describe('names: given', () => {
  it('gives who joins a friendly name in that lobby alone, in messages and results, and the host keeps the own one', async () => {
    const [ada, ben] = await arena.players('Ada', 'Ben');
    const settings = { names: 'given', rounds: 1, lateJoin: true, compact: true };
    const code = await gather([ada, ben], { settings });
    const [, name = ''] = await namesIn(ada.http, code);
    expect(isFriendly(name)).toBe(true);
    const own = ben.messages.findLast(({ type }) => type === 'lobby:state') as { lobby: { players: object[] } };
    expect(own.lobby.players).toMatchObject([{ name: 'Ada' }, { name }]);

    ada.send({ type: 'lobby:start' });
    const { gameId } = await ben.next('game:question');
    const [cleo] = await arena.players('Cleo');
    await enter(cleo, code);
    for (const player of [ada, ben, cleo]) await answer(arena, player, 1, 'right');
    await ben.next('game:finished');
    const { body } = await ada.http.get(`/api/v1/games/${gameId}`);
    const names = body.scores.map((score: { name: string }) => score.name);
    expect(names.sort()).toEqual((await namesIn(ada.http, code)).sort());
    expect(names).toContain('Ada');
    expect(names.filter(isFriendly)).toHaveLength(2);
    const csv = await ada.http.get(`/api/v1/games/${gameId}`, { accept: 'text/csv' });
    expect(csv.body).toContain(`,${name},`);
    expect(csv.body).not.toContain('Ben');

    ben.send({ type: 'lobby:leave' });
    await ada.next('lobby:state', ({ lobby }) => lobby.playerCount === 2);
    const elsewhere = await lobbyOf(ben.http, {});
    expect(await namesIn(ben.http, elsewhere)).toEqual(['Ben']);
  });

  it('gives the name of the browser’s language, which the player keeps after leaving and joining again', async () => {
    const [ada, ben] = await arena.players('Ada', 'Ben');
    const code = await lobbyOf(ada.http, { names: 'given' });
    await join(ben.http, code, { 'accept-language': 'de' });
    const before = await namesIn(ada.http, code);
    expect(before[1]).toMatch(/^\p{Lu}\p{Ll}+er \p{Lu}\p{Ll}+$/u);
    await ben.acked({ type: 'lobby:join', code });
    await ben.acked({ type: 'lobby:leave' });
    expect(await namesIn(ada.http, code)).toEqual(['Ada']);
    await join(ben.http, code, { 'accept-language': 'en' });
    expect(await namesIn(ada.http, code)).toEqual(before);
  });
});
