// Draws the settings of a lobby at random, so that a run plays every kind of game.
import type { CreateLobbyRequest, LobbySettings, Vocabulary } from '../../client/types.ts';
import type { Random } from './random.ts';
import type { StudyList } from './study.ts';

/** The smallest deck, in terms, that is sure to have enough questions for a game. */
const DECK_MIN = 40;
const INTERMISSIONS_MS = [0, 0, 1000, 2000];
const CHANCES = { list: 0.3, presented: 0.3, lateJoin: 0.5, compact: 0.25 } as const;

/** @returns a random deck that is large enough for a game, if there is one */
export function pickDeck(random: Random, { decks }: Vocabulary) {
  const large = decks.filter(({ terms }) => terms >= DECK_MIN);
  const { sourceLanguage, targetLanguage, pos, difficulty } = random.pick(large.length > 0 ? large : decks);
  return { sourceLanguage, targetLanguage, pos, difficulty };
}

/** @param list a list that the players can read, or null */
export function drawSettings(
  random: Random,
  vocabulary: Vocabulary,
  roundMs: number,
  list: StudyList | null,
): NonNullable<CreateLobbyRequest['settings']> & LobbySettings {
  const words = list && random.chance(CHANCES.list) ? { listId: list.listId } : pickDeck(random, vocabulary);
  return {
    ...words,
    roundMs,
    rounds: random.int(2, 4),
    intermissionMs: random.pick(INTERMISSIONS_MS),
    scoring: random.pick(['accuracy', 'speed', 'streak'] as const),
    hostPlays: !random.chance(CHANCES.presented),
    lateJoin: random.chance(CHANCES.lateJoin),
    compact: random.chance(CHANCES.compact),
    answerMode: 'choice',
    names: random.pick(['any', 'unique', 'given'] as const),
    readMs: 0,
  };
}
