// In which language the page speaks: the user's choice, else the browser's, else English.
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import type { Deck } from '../../vocabulary/schema.ts';
import { load, save } from '../storage.ts';
import { en, type Texts } from './en.ts';
import { it } from './it.ts';

const TEXTS = { en, it };

export type Locale = keyof typeof TEXTS;

export const LOCALES: [locale: Locale, ownName: string][] = [
  ['en', 'English'],
  ['it', 'Italiano'],
];

interface I18n {
  locale: Locale;
  t: Texts;
  setLocale(locale: Locale): void;
  /** @returns what a language is called in the interface's own */
  languageName(code: Deck['sourceLanguage']): string;
  /** @param iso a moment as ISO 8601 @returns it as it is written where the user lives */
  dateTime(iso: string): string;
  /** @returns an error in words for people */
  explain(error: unknown): string;
}

const I18nContext = createContext<I18n | null>(null);

export function I18nProvider({ children }: { children: ComponentChildren }) {
  const [locale, setLocale] = useState<Locale>(firstLocale);
  const i18n = useMemo(() => createI18n(locale, setLocale), [locale]);
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  return <I18nContext.Provider value={i18n}>{children}</I18nContext.Provider>;
}

/** @returns the texts and what belongs to them */
export function useI18n(): I18n {
  const i18n = useContext(I18nContext);
  if (!i18n) throw new Error('outside of the I18nProvider');
  return i18n;
}

function firstLocale(): Locale {
  const wanted = [load<string>('device', 'locale'), ...navigator.languages];
  const known = wanted.map((tag) => tag?.slice(0, 2)).find((tag) => tag && tag in TEXTS);
  return (known as Locale | undefined) ?? 'en';
}

function createI18n(locale: Locale, setLocale: (locale: Locale) => void): I18n {
  const t = TEXTS[locale];
  const names = new Intl.DisplayNames(locale, { type: 'language' });
  return {
    locale,
    t,
    setLocale(next) {
      save('device', 'locale', next);
      setLocale(next);
    },
    languageName(code) {
      const name = names.of(code) ?? code;
      return locale === 'en' ? name : name.toLocaleLowerCase(locale);
    },
    dateTime(iso) {
      const tag = navigator.languages.find((wanted) => wanted.startsWith(locale)) ?? locale;
      return new Date(iso).toLocaleString(tag, { dateStyle: 'medium', timeStyle: 'short' });
    },
    explain: (error) =>
      error instanceof ApiError
        ? (t.errors[error.code] ?? error.message)
        : (t.errors.INTERNAL_ERROR ?? String(error)),
  };
}
