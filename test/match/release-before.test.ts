// What the release before has stored is read as it meant it, as during a rolling update.
import { expect, it } from 'vitest';
import { PreparedMatch } from '../../src/match/prepared-match.ts';
import { useArena } from '../support/arena.ts';
import { lobbyIdOf } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';

const arena = useArena({ replicas: 1, workers: 0 });

it('a lobby without the settings that it did not have yet is shown, changed and started with their defaults', async () => {
  const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
  const code = await gather([ada, ben], { settings: { rounds: 1 } });
  const { db, clock } = (arena.replicas[0] as (typeof arena.replicas)[number]).services;
  const id = lobbyIdOf(ada);
  await db.$executeRaw`UPDATE lobby SET settings = settings - 'names' WHERE id = ${id}::uuid`;
  const { status, body } = await ada.http.get(`/api/v1/lobbies/${code}`);
  expect([status, body.settings.names]).toEqual([200, 'any']);
  ada.send({ type: 'lobby:configure', settings: { rounds: 2 } });
  await ada.next('lobby:state', ({ lobby }) => lobby.settings.rounds === 2);
  ada.send({ type: 'lobby:start' });
  const { gameId } = await ben.next('game:question');
  expect(await clock.find(gameId)).toBeDefined();
});

it('a game that the release before has prepared is opened by its clock', () => {
  const settings = {
    sourceLanguage: 'en',
    targetLanguage: 'it',
    pos: 'noun',
    difficulty: 'A1',
    rounds: 1,
    scoring: 'accuracy',
    answerMode: 'choice',
    roundMs: 5000,
    intermissionMs: 0,
    readMs: 0,
    hostPlays: true,
    lateJoin: false,
    compact: false,
  };
  const id = '0d4f9d2c-7b53-4f0e-9a55-1f4f6e3a8b21';
  const prepared = { lobbyId: id, gameId: id, code: '7KQ2ZD', isCompact: false, durationMs: 5000 };
  const parsed = PreparedMatch.parse({ ...prepared, settings, questions: [], playerIds: [] });
  expect(parsed.settings.names).toBe('any');
});
