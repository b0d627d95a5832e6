// The language of the page: the user's choice, otherwise the browser's, otherwise English.
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { NETWORK_BUSY } from '../api.ts';
import { load, save } from '../ui/storage.ts';
import { en, type Texts } from './en/index.ts';
import { fallBack, foldersFor, type Partly } from './fallback.ts';

/** English is part of the first file, as the fallback. Each other folder is loaded when it is needed. */
const FOLDERS = import.meta.glob<Partly<Texts>>(['./*/index.ts', '!./en/index.ts'], { import: 'default' });

/** Loads the texts of a folder, by its name, which is a language tag such as `de` or `pt-BR`. */
const LOAD = new Map(Object.entries(FOLDERS).map(([path, loadTexts]) => [path.split('/')[1] ?? '', loadTexts]));

/** The tags of the page's languages. */
const TAGS = ['en', ...LOAD.keys()].sort();

/** The tag of one of the page's languages. */
export type Locale = string;

interface Language {
  locale: Locale;
  texts: Texts;
}

/** The page's languages with their own names. */
export const LOCALES = TAGS.map((tag): [locale: Locale, ownName: string] => {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  return [tag, name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)];
});

interface I18n {
  locale: Locale;
  t: Texts;
  setLocale(locale: Locale): void;
  /** @param iso a moment as ISO 8601 @returns date and time in the user's format */
  dateTime(iso: string): string;
  /** @returns why a request failed, in words for the user */
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

export function useI18n(): I18n {
  const i18n = useContext(I18nContext);
  if (!i18n) throw new Error('outside of the I18nProvider');
  return i18n;
}

/** @returns the language of the first render: `pt-BR` falls back to `pt`, and what has no folder to the next wish */
export function firstLanguage(): Promise<Language> {
  const wanted = [load<string>('device', 'locale') ?? '', ...navigator.languages];
  const known = wanted.map((tag) => foldersFor(tag, TAGS).at(-1)).find((tag) => tag);
  return loadLanguage(known ?? 'en');
}

/** @returns the language, with English texts where it has none; English if it can't be loaded */
async function loadLanguage(locale: Locale): Promise<Language> {
  try {
    let texts = en;
    for (const tag of foldersFor(locale, TAGS)) texts = fallBack<Texts>(texts, (await LOAD.get(tag)?.()) ?? {});
    return { locale, texts };
  } catch {
    return { locale: 'en', texts: en };
  }
}

function createI18n({ locale, texts: t }: Language, setLanguage: (language: Language) => void): I18n {
  return {
    locale,
    t,
    setLocale(next) {
      save('device', 'locale', next);
      void loadLanguage(next).then(setLanguage);
    },
    dateTime(iso) {
      const tag = navigator.languages.find((wanted) => wanted.startsWith(locale)) ?? locale;
      return new Date(iso).toLocaleString(tag, { dateStyle: 'medium', timeStyle: 'short' });
    },
    explain(error) {
      if (!(error instanceof ApiError)) return t.errors.INTERNAL_ERROR ?? String(error);
      const { status, code, message, retryAfterMs } = error;
      if (status === 429 && retryAfterMs) {
        const reason = code === NETWORK_BUSY ? t.networkBusy : t.tooMuch;
        return `${reason} ${t.tryAgainIn(Math.ceil(retryAfterMs / 1000))}`;
      }
      return t.errors[code] ?? message;
    },
  };
}
