// Chooses the two languages of a list among all of ISO 639-1.
import { useMemo } from 'preact/hooks';
import { ISO_639_1_CODES } from '../../vocabulary/lists/languages.ts';
import { useI18n } from '../i18n/index.tsx';
import { Select } from '../ui/choice.tsx';
import { Icon } from '../ui/icon.tsx';
import { useLanguageName } from '../words/language-name.ts';
import type { Draft } from './draft.ts';

type Languages = Pick<Draft, 'sourceLanguage' | 'targetLanguage'>;

interface LanguageFieldsProps {
  direction: Languages;
  onDirection(direction: Languages): void;
}

export function LanguageFields({ direction, onDirection }: LanguageFieldsProps) {
  const { t, locale } = useI18n();
  const languageName = useLanguageName();
  const { sourceLanguage, targetLanguage } = direction;
  const options = useMemo(() => {
    // Twi has the name of Akan, to which it belongs. A list that has it keeps it.
    const chosen = [sourceLanguage, targetLanguage, ...ISO_639_1_CODES];
    const byName = new Map(chosen.reverse().map((value) => [languageName(value), value]));
    return [...byName].map(([text, value]) => ({ value, text })).sort((a, b) => a.text.localeCompare(b.text, locale));
  }, [locale, languageName, sourceLanguage, targetLanguage]);
  const swapped = { sourceLanguage: targetLanguage, targetLanguage: sourceLanguage };
  return (
    <div class="direction">
      <Select
        label={t.from}
        options={options}
        value={sourceLanguage}
        onValue={(code) => onDirection({ sourceLanguage: code, targetLanguage })}
      />
      <button type="button" class="quiet swap" aria-label={t.swap} onClick={() => onDirection(swapped)}>
        <Icon name="swap" />
      </button>
      <Select
        label={t.to}
        options={options}
        value={targetLanguage}
        onValue={(code) => onDirection({ sourceLanguage, targetLanguage: code })}
      />
    </div>
  );
}
