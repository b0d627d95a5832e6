// A start with a hostile list costs about as much as a start with a deck. [contract 14, 17]
import { beforeAll, describe, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { costRatio } from '../support/cpu.ts';
import { ASKABLE_SHORT, ORDINARY, UNASKABLE } from '../support/hostile-lists.ts';
import { storeList } from '../support/lists.ts';
import { gather, type Player } from '../support/player.ts';
import { importTestTerms } from '../support/vocabulary.ts';

const STARTS = 5;

const arena = useArena({ env: { RATE_LIMIT_GAME_MAX: '100000', LOG_LEVEL: 'error' } });
const DECK = { pos: 'adverb', difficulty: 'C2', sourceLanguage: 'fr', targetLanguage: 'de' };
let player: Player;

beforeAll(async () => {
  player = await arena.player('Ada');
  await importTestTerms(
    arena.stores.databaseUrl,
    ORDINARY.map(({ sourceText, targetText }) => ({ ...DECK, sourceText, targetText })),
  );
});

/** @returns a function that starts STARTS quizzes and expects that status of each */
const starts = (words: object, status: number) => async () => {
  for (let start = 0; start < STARTS; start++) {
    const request = { ...words, questionCount: 50 };
    expect((await player.http.post('/api/v1/game/start', request)).status).toBe(status);
  }
};

describe('[contract 14] a start with a list costs at most twice as much as one with a deck', () => {
  it.each([
    ...Object.entries(ASKABLE_SHORT).map(([what, terms]) => ({ what, terms, status: 201 })),
    ...Object.entries(UNASKABLE).map(([what, terms]) => ({ what, terms, status: 422 })),
  ])('if the list has $what ($status)', async ({ terms, status }) => {
    const { listId } = await storeList(player.http, { terms });
    const ratio = await costRatio(2, starts({ listId }, status), starts(DECK, 201));
    expect(ratio).toBeLessThan(2);
  });

  it.each(Object.entries(UNASKABLE))(
    'also by lobby:start if the list has %s',
    async (_what, terms) => {
      const [host, guest] = (await arena.players('Ben', 'Cleo')) as [Player, Player];
      const { listId } = await storeList(host.http, { terms });
      await gather([host, guest], { settings: { listId, rounds: 20 } });
      const start = async () => {
        for (let time = 0; time < STARTS; time++)
          expect((await host.refused({ type: 'lobby:start' })).reason).toBe(
            'NOT_ENOUGH_DISTRACTORS',
          );
      };
      expect(await costRatio(2, start, starts(DECK, 201))).toBeLessThan(2);
    },
  );
});
