// The texts of word lists in German.
import type { Texts } from '../en/index.ts';
import { plural } from '../plural.ts';

export const deLists: Texts['lists'] = {
  title: 'Deine Wortlisten',
  none: 'Bring die Wörter aus deinem Lehrbuch, deinem Kurs oder für die nächste Reise mit und spiel sie allein oder mit Freunden.',
  create: 'Neue Liste',
  newTitle: 'Neue Wortliste',
  words: (count) => plural(count, 'Wort', 'Wörter'),
  shared: 'geteilt',
  builtIn: 'Mitgelieferte Wörter',

  name: 'Name der Liste',
  paste: 'Aus einer Tabelle einfügen',
  pasteMore:
    'Ein Wort pro Zeile. In Spalten: das Wort, die Übersetzung und, wenn du magst, ein Hinweis.',
  addPasted: 'Diese Wörter hinzufügen',
  chooseFile: 'CSV-Datei auswählen',
  dropMore: 'Du kannst auch eine Datei hierher ziehen.',
  added: (count) => `${plural(count, 'Wort', 'Wörter')} hinzugefügt.`,
  repeated: (count) =>
    `${plural(count, 'Zeile stand', 'Zeilen standen')} schon in der Liste und ${count === 1 ? 'wurde' : 'wurden'} weggelassen.`,
  headingLeftOut: (heading) =>
    `Die erste Zeile „${heading}“ sieht wie eine Überschrift aus und wurde weggelassen.`,
  addHeading: 'Als Wort hinzufügen',
  cut: (max) => `Eine Liste hat höchstens ${max} Wörter: Die Zeilen danach wurden weggelassen.`,

  addWord: 'Wort hinzufügen',
  fields: { sourceText: 'Wort', targetText: 'Übersetzung', sourceGloss: 'Hinweis' },
  edit: (word) => `„${word}“ ändern`,
  done: 'Fertig',
  remove: 'Entfernen',
  search: 'Wort suchen',
  notFound: 'Kein solches Wort.',
  showMore: (count) => `${count} weitere anzeigen`,
  badLines: (count) => `${plural(count, 'Zeile stimmt', 'Zeilen stimmen')} noch nicht.`,
  showBad: 'Nur diese anzeigen',
  showEvery: 'Alle Wörter anzeigen',
  line: (number) => `Zeile ${number}`,
  problems: {
    empty: 'fehlt',
    too_long: 'ist zu lang',
    too_many_marks: 'enthält zu viele Akzente auf einem Buchstaben',
    ill_formed: 'enthält beschädigte Zeichen',
    control_character: 'enthält Zeichen, die man nicht anzeigen kann',
    too_many_cells: 'Diese Zeile hat mehr als drei Spalten.',
    refused: 'Diese Zeile lässt sich so nicht speichern.',
  },
  draftProblems: {
    no_name: 'Gib der Liste einen Namen mit höchstens 80 Zeichen.',
    same_languages: 'Wähle zwei verschiedene Sprachen.',
    bad_rows: 'Einige Zeilen stimmen noch nicht. Ändere oder entferne sie.',
    too_few: 'Eine Liste braucht mindestens 4 verschiedene Wörter.',
    too_many: 'Eine Liste hat höchstens 2000 Wörter. Entferne einige.',
  },

  save: 'Liste speichern',
  saved: 'Gespeichert.',
  unsaved: 'Deine Änderungen sind noch nicht gespeichert.',
  discard: 'Änderungen verwerfen',
  share: 'Per Link teilen',
  shareMore: 'Wer den Link hat, kann die Liste lesen, spielen und kopieren.',
  shareText: (name) => `Die Wortliste „${name}“:`,
  delete: 'Liste löschen',
  deleteAsk: (name) => `„${name}“ löschen?`,
  deleteMore: 'Die Liste ist dann endgültig weg, und damit auch, was mit ihr gelernt wurde.',
  fromSomebody: 'Jemand hat diese Liste mit dir geteilt.',
  copy: 'In meine Listen kopieren',
};
