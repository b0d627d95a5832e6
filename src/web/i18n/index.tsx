// In which language the page speaks: the user's choice, else the browser's, else English.
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { load, save } from '../storage.ts';
import { en, type Texts } from './en.ts';

/** English is always there; each of the others is loaded when it is wanted. */
const LOAD = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
  it: async () => (await import('./it.ts')).it,
} satisfies Record<string, () => Promise<Texts>>;

export type Locale = keyof typeof LOAD;

interface Language {
  locale: Locale;
  texts: Texts;
}

export const LOCALES: [locale: Locale, ownName: string][] = [
  ['de', 'Deutsch'],
  ['en', 'English'],
  ['es', 'Español'],
  ['fr', 'Français'],
  ['it', 'Italiano'],
];

interface I18n {
  locale: Locale;
  t: Texts;
  setLocale(locale: Locale): void;
  /** @returns what a language is called in the interface's own */
  languageName(code: string): string;
  /** @param iso a moment as ISO 8601 @returns it as it is written where the user lives */
  dateTime(iso: string): string;
  /** @returns an error in words for people */
  explain(error: unknown): string;
}

const I18nContext = createContext<I18n | null>(null);

interface I18nProviderProps {
  first: Language;
  children: ComponentChildren;
}

export function I18nProvider({ first, children }: I18nProviderProps) {
  const [language, setLanguage] = useState(first);
  const i18n = useMemo(() => createI18n(language, setLanguage), [language]);
  useEffect(() => {
    document.documentElement.lang = language.locale;
  }, [language]);
  return <I18nContext.Provider value={i18n}>{children}</I18nContext.Provider>;
}

/** @returns the texts and what belongs to them */
export function useI18n(): I18n {
  const i18n = useContext(I18nContext);
  if (!i18n) throw new Error('outside of the I18nProvider');
  return i18n;
}

/** @returns the language to begin with */
export function firstLanguage(): Promise<Language> {
  const wanted = [load<string>('device', 'locale'), ...navigator.languages];
  const known = wanted.map((tag) => tag?.slice(0, 2)).find((tag) => tag && tag in LOAD);
  return loadLanguage((known as Locale | undefined) ?? 'en');
}

/** @returns the language, or English where it can't be loaded */
async function loadLanguage(locale: Locale): Promise<Language> {
  return LOAD[locale]().then(
    (texts) => ({ locale, texts }),
    () => ({ locale: 'en', texts: en }),
  );
}

function createI18n(
  { locale, texts: t }: Language,
  setLanguage: (language: Language) => void,
): I18n {
  const names = new Intl.DisplayNames(locale, { type: 'language' });
  return {
    locale,
    t,
    setLocale(next) {
      save('device', 'locale', next);
      void loadLanguage(next).then(setLanguage);
    },
    languageName: (code) => names.of(code) ?? code,
    dateTime(iso) {
      const tag = navigator.languages.find((wanted) => wanted.startsWith(locale)) ?? locale;
      return new Date(iso).toLocaleString(tag, { dateStyle: 'medium', timeStyle: 'short' });
    },
    explain(error) {
      if (!(error instanceof ApiError)) return t.errors.INTERNAL_ERROR ?? String(error);
      const { status, code, message, retryAfterMs } = error;
      if (status === 429 && retryAfterMs) return t.tryAgainIn(Math.ceil(retryAfterMs / 1000));
      return t.errors[code] ?? message;
    },
  };
}
