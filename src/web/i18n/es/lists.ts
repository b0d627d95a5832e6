// The texts of word lists in Spanish.
import type { Texts } from '../en/index.ts';
import { plural } from '../plural.ts';

export const esLists: Texts['lists'] = {
  title: 'Tus listas de palabras',
  none: 'Trae las palabras de tu libro, de tu clase o de tu próximo viaje y juega con ellas a solas o con amigos.',
  create: 'Lista nueva',
  newTitle: 'Nueva lista de palabras',
  words: (count) => plural(count, 'palabra', 'palabras'),
  shared: 'compartida',
  builtIn: 'Palabras incluidas',

  name: 'Nombre de la lista',
  paste: 'Pegar de una hoja de cálculo, Quizlet o Anki',
  pasteMore:
    'Una palabra por línea. En columnas: la palabra, su traducción y, si quieres, una nota.',
  preview: 'Vista previa',
  found: (count) => `${plural(count, 'palabra encontrada', 'palabras encontradas')}.`,
  betweenCells: 'Entre palabra y traducción',
  betweenRows: 'Entre dos palabras',
  separators: {
    found: 'Reconocido',
    tab: 'Tabulador',
    comma: 'Coma',
    semicolon: 'Punto y coma',
    dash: 'Guion',
    line: 'Línea nueva',
    blankLine: 'Línea en blanco',
    own: 'Otro',
  },
  ownSeparator: '¿Cuál?',
  downloadTable: 'Descargar como tabla (CSV)',
  downloadAnki: 'Descargar para Anki',
  addPasted: 'Añadir estas palabras',
  chooseFile: 'Elegir un archivo',
  dropMore: 'También puedes soltar aquí un archivo.',
  added: (count) => `${plural(count, 'palabra añadida', 'palabras añadidas')}.`,
  repeated: (count) =>
    count === 1
      ? '1 línea ya estaba en la lista y no se ha añadido.'
      : `${count} líneas ya estaban en la lista y no se han añadido.`,
  headingLeftOut: (heading) =>
    `La primera línea, «${heading}», parece un encabezado y se ha omitido.`,
  addHeading: 'Añadirla como palabra',
  cut: (max) =>
    `Una lista tiene como máximo ${max} palabras: las líneas siguientes no se han añadido.`,

  addWord: 'Añadir una palabra',
  fields: { sourceText: 'Palabra', targetText: 'Traducción', sourceGloss: 'Nota' },
  edit: (word) => `Cambiar «${word}»`,
  done: 'Listo',
  remove: 'Quitar',
  search: 'Buscar una palabra',
  notFound: 'No hay ninguna palabra así.',
  showMore: (count) => `Mostrar ${count} más`,
  badLines: (count) => `${plural(count, 'línea', 'líneas')} por corregir.`,
  showBad: 'Mostrar solo estas',
  showEvery: 'Mostrar todas las palabras',
  line: (number) => `Línea ${number}`,
  problems: {
    empty: 'falta',
    too_long: 'demasiado larga',
    too_many_marks: 'tiene demasiados acentos en una letra',
    ill_formed: 'contiene caracteres dañados',
    control_character: 'contiene caracteres que no se pueden mostrar',
    cloze: 'Es una frase con huecos: aquí solo se aprende una palabra con su traducción.',
    too_many_cells: 'Esta línea tiene más de tres columnas.',
    refused: 'Esta línea no se puede guardar así.',
  },
  draftProblems: {
    no_name: 'Pon a la lista un nombre de 80 caracteres como máximo.',
    same_languages: 'Elige dos idiomas distintos.',
    bad_rows: 'Algunas líneas todavía no están bien. Cámbialas o quítalas.',
    too_few: 'Una lista necesita al menos una palabra.',
    too_many: 'Una lista tiene como máximo 2000 palabras. Quita algunas.',
  },

  save: 'Guardar la lista',
  saved: 'Lista guardada.',
  unsaved: 'Los cambios todavía no están guardados.',
  discard: 'Descartar los cambios',
  share: 'Compartir con un enlace',
  shareMore: 'Quien tenga el enlace puede leer la lista, jugar con ella y copiarla.',
  shareText: (name) => `La lista de palabras «${name}»:`,
  delete: 'Eliminar la lista',
  deleteAsk: (name) => `¿Eliminar «${name}»?`,
  deleteMore: 'La lista se elimina para siempre, junto con lo que se ha aprendido de ella.',
  fromSomebody: 'Alguien ha compartido esta lista contigo.',
  copy: 'Copiar a tus listas',
};
