// Names languages in the language of the page. Users' lists may have any language of ISO 639-1, and some browsers, such
// as Chromium, have no name for the rare ones, so that this file has the names that they have for themselves. The first
// visit does without it, which would be larger.
import { useMemo } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';

const OWN_NAMES: Record<string, string> = {
  aa: 'Afaraf',
  ab: 'Аԥсуа',
  ae: 'Avesta',
  av: 'Авар',
  ba: 'Башҡорт',
  bi: 'Bislama',
  bo: 'བོད་སྐད',
  ce: 'Нохчийн',
  ch: 'Chamoru',
  cr: 'Nēhiyawēwin',
  cu: 'Словѣньскъ',
  cv: 'Чӑваш',
  dz: 'རྫོང་ཁ',
  ff: 'Fulfulde',
  fj: 'Vosa Vakaviti',
  gv: 'Gaelg',
  ho: 'Hiri Motu',
  hz: 'Otjiherero',
  ie: 'Interlingue',
  ii: 'Nuosu',
  ik: 'Iñupiatun',
  io: 'Ido',
  iu: 'Inuktitut',
  kg: 'Kikongo',
  ki: 'Gĩkũyũ',
  kj: 'Kuanyama',
  kl: 'Kalaallisut',
  kr: 'Kanuri',
  ks: 'कॉशुर',
  kv: 'Коми',
  kw: 'Kernewek',
  li: 'Limburgs',
  lu: 'Kiluba',
  mh: 'Kajin M̧ajeļ',
  na: 'Dorerin Naoero',
  nd: 'isiNdebele',
  ng: 'Oshindonga',
  nr: 'isiNdebele sakwaNdzundza',
  nv: 'Diné bizaad',
  oj: 'Anishinaabemowin',
  os: 'Ирон',
  pi: 'Pāli',
  rn: 'Ikirundi',
  sc: 'Sardu',
  se: 'Davvisámegiella',
  sg: 'Sängö',
  ss: 'SiSwati',
  ty: 'Reo Tahiti',
  ve: 'Tshivenḓa',
  vo: 'Volapük',
  za: 'Vahcuengh',
};

/** @returns a function that names a language by its code */
export function useLanguageName(): (code: string) => string {
  const { locale } = useI18n();
  return useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' });
    return (code) => names.of(code) ?? OWN_NAMES[code] ?? code;
  }, [locale]);
}

/** @returns a function that names the direction of words */
export function useDirectionName(): (from: string, to: string) => string {
  const { t } = useI18n();
  const languageName = useLanguageName();
  return (from, to) => t.deck(languageName(from), languageName(to));
}
