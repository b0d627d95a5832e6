// The texts of word lists in Italian.
import type { Texts } from '../en/index.ts';
import { plural } from '../plural.ts';

export const itLists: Texts['lists'] = {
  title: 'Le tue liste di parole',
  none: 'Porta le parole del tuo libro, del tuo corso o del prossimo viaggio e giocaci da solo o con gli amici.',
  create: 'Nuova lista',
  newTitle: 'Nuova lista di parole',
  words: (count) => plural(count, 'parola', 'parole'),
  shared: 'condivisa',
  builtIn: 'Parole già pronte',

  name: 'Nome della lista',
  paste: 'Incolla da un foglio di calcolo, Quizlet o Anki',
  pasteMore: 'Una parola per riga. In colonne: la parola, la traduzione e, se vuoi, una nota.',
  preview: 'Anteprima',
  found: (count) => `${plural(count, 'parola trovata', 'parole trovate')}.`,
  betweenCells: 'Tra parola e traduzione',
  betweenRows: 'Tra due parole',
  separators: {
    found: 'Riconosciuto',
    tab: 'Tabulazione',
    comma: 'Virgola',
    semicolon: 'Punto e virgola',
    dash: 'Trattino',
    line: 'Nuova riga',
    blankLine: 'Riga vuota',
    own: 'Altro',
  },
  ownSeparator: 'Quale?',
  downloadAnki: 'Scarica per Anki',
  addPasted: 'Aggiungi queste parole',
  chooseFile: 'Scegli un file',
  dropMore: 'Puoi anche trascinare qui un file.',
  added: (count) => `${plural(count, 'parola aggiunta', 'parole aggiunte')}.`,
  repeated: (count) =>
    count === 1
      ? '1 riga era già nella lista e non è stata aggiunta.'
      : `${count} righe erano già nella lista e non sono state aggiunte.`,
  headingLeftOut: (heading) =>
    `La prima riga, «${heading}», sembra un’intestazione ed è stata tralasciata.`,
  addHeading: 'Aggiungerla come parola',
  cut: (max) =>
    `Una lista ha al massimo ${max} parole: le righe successive non sono state aggiunte.`,

  addWord: 'Aggiungi una parola',
  fields: { sourceText: 'Parola', targetText: 'Traduzione', sourceGloss: 'Nota' },
  edit: (word) => `Modifica «${word}»`,
  done: 'Fatto',
  remove: 'Rimuovi',
  search: 'Cerca una parola',
  notFound: 'Nessuna parola così.',
  showMore: (count) => (count === 1 ? 'Mostrane un’altra' : `Mostrane altre ${count}`),
  badLines: (count) => `${plural(count, 'riga', 'righe')} da sistemare.`,
  showBad: 'Mostra solo queste',
  showEvery: 'Mostra tutte le parole',
  line: (number) => `Riga ${number}`,
  problems: {
    empty: 'manca',
    too_long: 'troppo lunga',
    too_many_marks: 'ha troppi accenti su una lettera',
    ill_formed: 'contiene caratteri danneggiati',
    control_character: 'contiene caratteri che non si possono mostrare',
    cloze: 'È un testo da completare: qui si impara solo una parola con la sua traduzione.',
    too_many_cells: 'Questa riga ha più di tre colonne.',
    refused: 'Questa riga non può essere salvata così.',
  },
  draftProblems: {
    no_name: 'Dai alla lista un nome di al massimo 80 caratteri.',
    same_languages: 'Scegli due lingue diverse.',
    bad_rows: 'Alcune righe non vanno ancora bene. Modificale o rimuovile.',
    too_few: 'Una lista deve avere almeno 4 parole diverse.',
    too_many: 'Una lista ha al massimo 2000 parole. Togline qualcuna.',
  },

  save: 'Salva la lista',
  saved: 'Lista salvata.',
  unsaved: 'Le modifiche non sono ancora salvate.',
  discard: 'Annulla le modifiche',
  share: 'Condividi con un link',
  shareMore: 'Chi ha il link può leggere la lista, giocarci e copiarla.',
  shareText: (name) => `La lista di parole «${name}»:`,
  delete: 'Elimina la lista',
  deleteAsk: (name) => `Eliminare «${name}»?`,
  deleteMore: 'La lista viene eliminata per sempre, insieme a ciò che se ne è imparato.',
  fromSomebody: 'Qualcuno ha condiviso questa lista con te.',
  copy: 'Copia nelle tue liste',
};
