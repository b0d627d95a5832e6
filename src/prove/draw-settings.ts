// What a lobby plays, by chance: every kind of game that there is.
import type { LobbySettings, Vocabulary } from '../client/types.ts';
import type { Random } from './random.ts';
import type { OwnList } from './study.ts';

/** Fewer words than that may be too few for a game without repeating itself. */
const DECK_MIN = 40;
const INTERMISSIONS_MS = [0, 0, 1000, 2000];
const CHANCES = { list: 0.3, presented: 0.3, lateJoin: 0.5 } as const;

/** @returns a deck that is large enough for a few questions */
export function pickDeck(random: Random, { decks }: Vocabulary) {
  const large = decks.filter(({ terms }) => terms >= DECK_MIN);
  const { sourceLanguage, targetLanguage, pos, difficulty } = random.pick(
    large.length > 0 ? large : decks,
  );
  return { sourceLanguage, targetLanguage, pos, difficulty };
}

/** @param list of one's own, where there is one */
export function drawSettings(
  random: Random,
  vocabulary: Vocabulary,
  roundMs: number,
  list: OwnList | null,
): Omit<LobbySettings, 'listName'> {
  const words =
    list && random.chance(CHANCES.list) ? { listId: list.listId } : pickDeck(random, vocabulary);
  return {
    ...words,
    ...{ roundMs, rounds: random.int(2, 4), intermissionMs: random.pick(INTERMISSIONS_MS) },
    scoring: random.pick(['accuracy', 'speed', 'streak'] as const),
    ...{ hostPlays: !random.chance(CHANCES.presented), lateJoin: random.chance(CHANCES.lateJoin) },
  };
}
