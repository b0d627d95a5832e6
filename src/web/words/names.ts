// Names languages, directions, decks and lists in the language of the page.
import { useMemo } from 'preact/hooks';
import type { LobbySettings } from '../../lobby/schema.ts';
import type { AskedDeck } from '../../vocabulary/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import type { WordsProgress } from '../progress/due.ts';

/** The own names of languages for which browsers have no name, each behind its code. */
const OWN_NAMES = new Map(
  `aa Afaraf, ab Аԥсуа, ae Avesta, av Авар, ba Башҡорт, bi Bislama, bo བོད་སྐད, ce Нохчийн, ch Chamoru,
  cr Nēhiyawēwin, cu Словѣньскъ, cv Чӑваш, dz རྫོང་ཁ, ff Fulfulde, fj Vosa Vakaviti, gv Gaelg, ho Hiri Motu,
  hz Otjiherero, ie Interlingue, ii Nuosu, ik Iñupiatun, io Ido, iu Inuktitut, kg Kikongo, ki Gĩkũyũ,
  kj Kuanyama, kl Kalaallisut, kr Kanuri, ks कॉशुर, kv Коми, kw Kernewek, li Limburgs, lu Kiluba,
  mh Kajin M̧ajeļ, na Dorerin Naoero, nd isiNdebele, ng Oshindonga, nr isiNdebele sakwaNdzundza, nv Diné bizaad,
  oj Anishinaabemowin, os Ирон, pi Pāli, rn Ikirundi, sc Sardu, se Davvisámegiella, sg Sängö, ss SiSwati,
  ty Reo Tahiti, ve Tshivenḓa, vo Volapük, za Vahcuengh`
    .split(/,\s+/)
    .map((entry) => [entry.slice(0, 2), entry.slice(3)]),
);

/** @returns a function that names a language by its code */
export function useLanguageName(): (code: string) => string {
  const { locale } = useI18n();
  return useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' });
    return (code) => names.of(code) ?? OWN_NAMES.get(code) ?? code;
  }, [locale]);
}

/** @returns a function that names the direction of words */
export function useDirectionName(): (from: string, to: string) => string {
  const { t } = useI18n();
  const languageName = useLanguageName();
  return (from, to) => t.deck(languageName(from), languageName(to));
}

/** A deck, whose languages may have any type of text. */
type NamedDeck = Pick<AskedDeck, 'pos' | 'difficulty' | 'topic'> & { sourceLanguage: string; targetLanguage: string };

/** @returns a function that names a topic; one of an imported deck has the name that its source gives it */
export function useTopicName(): (topic: string) => string {
  const { t } = useI18n();
  const names: Record<string, string> = t.learning.topics;
  return (topic) => names[topic] ?? topic;
}

/** @returns a function that names a deck, with the topic of which it is asked */
export function useDeckName(): (deck: NamedDeck) => string {
  const { t } = useI18n();
  const directionName = useDirectionName();
  const topicName = useTopicName();
  return ({ sourceLanguage, targetLanguage, difficulty, pos, topic }) => {
    const parts = [directionName(sourceLanguage, targetLanguage), difficulty, t.partsOfSpeech[pos]];
    return [...parts, ...(topic === undefined ? [] : [topicName(topic)])].join(' · ');
  };
}

/** @returns a function that names the words of a lobby or a game: a deck, or a list with its languages */
export function useWordsName(): (settings: LobbySettings) => string {
  const { t } = useI18n();
  const directionName = useDirectionName();
  const deckName = useDeckName();
  return ({ sourceLanguage, targetLanguage, pos, difficulty, topic, listName = t.wordList }) => {
    if (!sourceLanguage || !targetLanguage) return listName;
    if (pos && difficulty) return deckName({ sourceLanguage, targetLanguage, pos, difficulty, topic });
    return `${listName} · ${directionName(sourceLanguage, targetLanguage)}`;
  };
}

/** @returns a function that names the deck or list of a progress */
export function useLearnedName(): (words: WordsProgress) => string {
  const { t } = useI18n();
  const deckName = useDeckName();
  return (words) => {
    if (!('listId' in words)) return deckName(words);
    return words.reverse ? t.lists.reversed(words.name) : words.name;
  };
}
