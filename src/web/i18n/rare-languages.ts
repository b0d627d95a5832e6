// The own names of languages for which some browsers have no name, such as Chromium. The screens that show languages
// of users' lists import this file, since it would make the first visit larger.
import { addLanguageNames } from './index.tsx';

addLanguageNames({
  ...{ aa: 'Afaraf', ab: 'Аԥсуа', ae: 'Avesta', av: 'Авар', ba: 'Башҡорт', bi: 'Bislama' },
  ...{ bo: 'བོད་སྐད', ce: 'Нохчийн', ch: 'Chamoru', cr: 'Nēhiyawēwin', cu: 'Словѣньскъ' },
  ...{ cv: 'Чӑваш', dz: 'རྫོང་ཁ', ff: 'Fulfulde', fj: 'Vosa Vakaviti', gv: 'Gaelg' },
  ...{ ho: 'Hiri Motu', hz: 'Otjiherero', ie: 'Interlingue', ii: 'Nuosu', ik: 'Iñupiatun' },
  ...{ io: 'Ido', iu: 'Inuktitut', kg: 'Kikongo', ki: 'Gĩkũyũ', kj: 'Kuanyama' },
  ...{ kl: 'Kalaallisut', kr: 'Kanuri', ks: 'कॉशुर', kv: 'Коми', kw: 'Kernewek', li: 'Limburgs' },
  ...{ lu: 'Kiluba', mh: 'Kajin M̧ajeļ', na: 'Dorerin Naoero', nd: 'isiNdebele' },
  ...{ ng: 'Oshindonga', nr: 'isiNdebele sakwaNdzundza', nv: 'Diné bizaad' },
  ...{ oj: 'Anishinaabemowin', os: 'Ирон', pi: 'Pāli', rn: 'Ikirundi', sc: 'Sardu' },
  ...{ se: 'Davvisámegiella', sg: 'Sängö', ss: 'SiSwati', ty: 'Reo Tahiti' },
  ...{ ve: 'Tshivenḓa', vo: 'Volapük', za: 'Vahcuengh' },
});
