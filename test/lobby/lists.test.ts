// A lobby asks the words of its host's list. [contract 11, 14]
import { describe, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { answer, openLobby, startGame } from '../support/game.ts';
import { listOf, storeList, termsOf } from '../support/lists.ts';
import { gather, type Player } from '../support/player.ts';

const arena = useArena({ env: { ROUND_DURATION_MS: '30000' } });

const LIST_NOT_FOUND = { status: 404, body: { code: 'LIST_NOT_FOUND' } };
const PROMPTS = termsOf(6).map(({ sourceText }) => sourceText);

/** What settings say of a list of `storeList`. */
const STATION = { listName: 'Station', sourceLanguage: 'de', targetLanguage: 'fi' };

const listFor = async (player: Player, changes: object = {}): Promise<string> =>
  (await storeList(player.http, changes)).listId;

const remove = (player: Player, listId: string) => player.http.delete(`/api/v1/lists/${listId}`);

const rename = (player: Player, listId: string, name: string) =>
  player.http.put(`/api/v1/lists/${listId}`, listOf({ name }));

/** Sends a change of the settings. @returns the resulting settings */
async function configure(player: Player, settings: object) {
  return (await player.nextAfter({ type: 'lobby:configure', settings }, 'lobby:state')).lobby.settings;
}

const refusal = async (player: Player, message: object) => (await player.refused(message)).reason;

describe('[contract 14] a lobby with a list', () => {
  it('asks its words in a game that continues after its deletion, and whose result has its name', async () => {
    const [ada, ben] = await arena.players('Ada', 'Ben');
    const listId = await listFor(ada);
    const code = await gather([ada, ben], { settings: { listId, rounds: 2 } });
    const { body: lobby } = await ben.http.get(`/api/v1/lobbies/${code}`);
    expect(lobby.settings).toMatchObject({ listId, rounds: 2 });
    for (const field of ['pos', 'difficulty']) expect(lobby.settings).not.toHaveProperty(field);

    ada.send({ type: 'lobby:start' });
    const { question, gameId } = await ben.next('game:question');
    expect(PROMPTS).toContain(question.prompt);
    await remove(ada, listId);
    for (const round of [1, 2]) for (const player of [ada, ben]) await answer(arena, player, round, 'right');
    await ben.next('game:finished');
    const { body: result } = await ben.http.get(`/api/v1/games/${gameId}`);
    expect(result.settings).toMatchObject({ listId, listName: 'Station' });
    expect(result.settings).not.toHaveProperty('pos');

    await ada.acked({ type: 'lobby:again' });
    expect(await refusal(ada, { type: 'lobby:start' })).toBe('LIST_NOT_FOUND');
  });

  it('needs a list that its host may read, at creation and at lobby:configure', async () => {
    const [ada, ben] = await arena.players('Ada', 'Ben');
    const [own, shared] = [await listFor(ben), await listFor(ben, { shared: true })];
    const create = (settings: object) => ada.http.post('/api/v1/lobbies', { settings });
    expect(await create({ listId: own })).toMatchObject(LIST_NOT_FOUND);
    expect((await create({ listId: shared })).status).toBe(201);
    const both = await create({ listId: shared, pos: 'verb' });
    expect([both.status, both.body.errors[0].path]).toEqual([400, 'settings.listId']);

    await gather([ada, ben], {});
    const change = (settings: object) => refusal(ada, { type: 'lobby:configure', settings });
    expect(await change({ listId: own })).toBe('LIST_NOT_FOUND');
    expect(await change({ listId: shared, difficulty: 'B1' })).toBe('VALIDATION_FAILED');
  });

  it('has either a list or a deck: setting one removes the other', async () => {
    const { ada } = await openLobby(arena);
    const listId = await listFor(ada);
    const withList = await configure(ada, { listId });
    expect(withList).toMatchObject({ listId, rounds: 3 });
    expect(withList).not.toHaveProperty('pos');
    expect(await configure(ada, { rounds: 5 })).toMatchObject({ listId, rounds: 5, ...STATION });
    const withDeck = await configure(ada, { targetLanguage: 'fr' });
    expect(withDeck).toMatchObject({ targetLanguage: 'fr', sourceLanguage: 'en', pos: 'noun' });
    for (const field of ['listId', 'listName']) expect(withDeck).not.toHaveProperty(field);
  });

  it('[contract 26] is asked in reverse with the languages of prompt and answer, until a deck drops that', async () => {
    const { ada, ben } = await openLobby(arena);
    const listId = await listFor(ada);
    const reversed = { listId, listName: 'Station', reverse: true, sourceLanguage: 'fi', targetLanguage: 'de' };
    expect(await configure(ada, { listId, reverse: true })).toMatchObject(reversed);
    // What changes nothing is told to the host alone.
    for (const settings of [{ reverse: true }, { listId }, { listId, reverse: true }]) {
      const message = { type: 'lobby:configure', settings };
      expect(await ada.nextAfter(message, 'lobby:state')).toMatchObject({ snapshot: true });
    }
    const usual = await configure(ada, { reverse: false });
    expect(usual).toMatchObject({ listId, ...STATION });
    expect(usual).not.toHaveProperty('reverse');
    await configure(ada, { reverse: true });
    const refuse = async (settings: object) =>
      expect(await refusal(ada, { type: 'lobby:configure', settings })).toBe('VALIDATION_FAILED');
    await refuse({ pos: 'noun', reverse: true });
    await refuse({ listId, reverse: true, topic: 'food' });
    expect(await configure(ada, { pos: 'noun' })).not.toHaveProperty('reverse');
    await refuse({ reverse: true });

    await configure(ada, { listId, reverse: true, rounds: 1 });
    ada.send({ type: 'lobby:start' });
    const { question, gameId } = await ben.next('game:question');
    expect(termsOf(6).map(({ targetText }) => targetText)).toContain(question.prompt);
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    await ben.next('game:finished');
    expect((await ben.http.get(`/api/v1/games/${gameId}`)).body.settings).toMatchObject(reversed);
  });

  it('[contract 22] has the name and languages of the list as it was chosen, and from the start on as it is then', async () => {
    const [ada, ben] = await arena.players('Ada', 'Ben');
    const listId = await listFor(ada);
    const code = await gather([ada, ben], { settings: { listId, rounds: 1, compact: true } });
    const settingsOf = async () => (await ben.http.get(`/api/v1/lobbies/${code}`)).body.settings;
    expect(await settingsOf()).toMatchObject(STATION);
    await rename(ada, listId, 'Trains');
    expect(await configure(ada, { rounds: 2 })).toMatchObject({ ...STATION, rounds: 2 });
    expect(await configure(ada, { listId })).toMatchObject({ ...STATION, listName: 'Trains' });

    await rename(ada, listId, 'Platforms');
    ada.send({ type: 'lobby:start' });
    const { gameId } = await ben.next('game:question');
    await remove(ada, listId);
    const named = { ...STATION, listName: 'Platforms', listId };
    expect(await settingsOf()).toMatchObject(named);
    expect(ben.messages.findLast(({ type }) => type === 'lobby:state')).toMatchObject({ lobby: { settings: named } });
    ada.send({ type: 'game:end' });
    await ben.next('game:finished');
    const { games } = (await ben.http.get('/api/v1/games')).body;
    expect(games[0]).toMatchObject({ gameId, settings: named });
  });
});

it('[contract 17] deleting an account removes its lists, and games with them continue', async () => {
  const [owner] = await arena.players('Owner');
  const listId = await listFor(owner, { shared: true });
  const { ada, ben, gameId } = await startGame(arena, { listId, rounds: 1 });
  const removed = await owner.http.post('/api/auth/delete-user', {});
  expect(removed.status).toBe(200);
  const start = await ada.http.post('/api/v1/game/start', { listId, questionCount: 1 });
  expect(start).toMatchObject(LIST_NOT_FOUND);
  for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
  await ada.next('game:finished');
  const { body } = await ada.http.get(`/api/v1/games/${gameId}`);
  expect(body.settings.listName).toBe('Station');
});
