// A list's languages and its number of words in one line.
import type { WordList } from '../../client/types.ts';
import { useI18n } from '../i18n/index.tsx';
import { useDirectionName } from '../words/language-name.ts';

export function ListFacts({ list }: { list: Omit<WordList, 'listId' | 'name' | 'updatedAt'> }) {
  const { t } = useI18n();
  const directionName = useDirectionName();
  const { sourceLanguage, targetLanguage, termCount, shared } = list;
  const facts = [
    directionName(sourceLanguage, targetLanguage),
    t.lists.words(termCount),
    ...(shared ? [t.lists.shared] : []),
  ];
  return <span class="hint">{facts.join(' · ')}</span>;
}
