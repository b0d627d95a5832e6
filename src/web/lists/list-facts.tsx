// A list's languages and its number of words in one line.
import type { WordList } from '../../client/types.ts';
import { useI18n } from '../i18n/index.tsx';
import '../i18n/rare-languages.ts';

export function ListFacts({ list }: { list: Omit<WordList, 'listId' | 'name' | 'updatedAt'> }) {
  const { t, languageName } = useI18n();
  const { sourceLanguage, targetLanguage, termCount, shared } = list;
  const facts = [
    t.deck(languageName(sourceLanguage), languageName(targetLanguage)),
    t.lists.words(termCount),
    ...(shared ? [t.lists.shared] : []),
  ];
  return <span class="hint">{facts.join(' · ')}</span>;
}
