// The draft of a list, whose rows may still be invalid. Pure, and plain data, so that it can be stored for a reload.
import Papa from 'papaparse';
import type { FieldError } from '../../client/api-error.ts';
import type { ListRequest, WordListWithTerms } from '../../client/types.ts';
import { withoutBrackets } from '../../judging/brackets.ts';
import { alternativesOf, formOf, formsOf } from '../../judging/forms.ts';
import { problemOf, type TextProblem, tidy, unguardCell } from '../../text.ts';
import { LIST_TERMS, MAX_LENGTHS, withoutRepetitions } from '../../vocabulary/lists/rules.ts';
import { normalise } from '../../vocabulary/rules.ts';
import { textOfCell, withoutFurigana } from './read-table.ts';

export const ROW_FIELDS = ['sourceText', 'targetText', 'sourceGloss'] as const;
type RowField = (typeof ROW_FIELDS)[number];

export interface DraftRow extends Record<RowField, string> {
  /** Unique within the draft; never used again. */
  id: number;
  /** A problem that only the import or the service can find. A change of the row removes it. */
  remark?: 'too_many_cells' | 'cloze' | 'refused';
}

export interface Draft extends Omit<ListRequest, 'terms' | 'shared'> {
  shared: boolean;
  rows: DraftRow[];
  nextId: number;
  /** The text that is pasted and not yet added. */
  pasted?: string;
}

export interface DraftRowProblem {
  /** Absent if the problem is in the row as a whole. */
  field?: RowField;
  kind: TextProblem | NonNullable<DraftRow['remark']>;
}

export function newDraft(sourceLanguage: string, targetLanguage: string): Draft {
  return { name: '', sourceLanguage, targetLanguage, shared: false, rows: [], nextId: 1 };
}

export function draftOf(list: WordListWithTerms): Draft {
  const { name, sourceLanguage, targetLanguage, shared, terms } = list;
  const rows = terms.map(({ sourceText, targetText, sourceGloss = '' }, at) => {
    return { id: at + 1, sourceText, targetText, sourceGloss };
  });
  return { name, sourceLanguage, targetLanguage, shared, rows, nextId: rows.length + 1 };
}

/** @param table a spreadsheet's rows with the word, its translation and optionally a note */
export function addCells(draft: Draft, table: string[][]): Draft {
  const added = table.map((cells, at): DraftRow => {
    const row = { id: draft.nextId + at, ...textsOf(cells) };
    const isLonger = cells.slice(ROW_FIELDS.length).some((cell) => cell.trim() !== '');
    if (cells.some((cell) => CLOZE.test(cell))) return { ...row, remark: 'cloze' };
    return isLonger ? { ...row, remark: 'too_many_cells' } : row;
  });
  const rows = withoutRepetitions([...draft.rows, ...added]);
  return { ...draft, rows, nextId: draft.nextId + added.length };
}

/** A gap in a sentence, which Anki's cloze cards have instead of a translation. */
const CLOZE = /\{\{c\d+::/;

/** A reading is a note of the word. Beside a translation it would tell the answer, so that it is an alternative. */
function textsOf(cells: readonly string[]): Record<RowField, string> {
  const [source, target, note = ''] = ROW_FIELDS.map((_field, at) => unguardCell(textOfCell(cells[at] ?? '')));
  const [word, translation] = [withoutFurigana(source ?? ''), withoutFurigana(target ?? '')];
  const notes = [word.reading, note].filter((one, at, all) => one !== '' && all.indexOf(one) === at);
  const translations = [translation.text, translation.reading].filter((one) => one !== '');
  return tidied({ sourceText: word.text, targetText: translations.join('; '), sourceGloss: notes.join('; ') });
}

function tidied(texts: Record<RowField, string>): Record<RowField, string> {
  const tidyField = (field: RowField) => tidy(textOfCell(texts[field]), MAX_LENGTHS[field]);
  return {
    sourceText: tidyField('sourceText'),
    targetText: tidyField('targetText'),
    sourceGloss: tidyField('sourceGloss'),
  };
}

/** @returns the list with its languages and its columns exchanged */
export function swapped(draft: Draft): Draft {
  const { sourceLanguage: targetLanguage, targetLanguage: sourceLanguage } = draft;
  const rows = draft.rows.map((row) => ({ ...row, sourceText: row.targetText, targetText: row.sourceText }));
  return { ...draft, sourceLanguage, targetLanguage, rows };
}

/** Replaces the row with the same id, or appends a new one. */
export function putRow(draft: Draft, { id, ...texts }: DraftRow): Draft {
  const row = { id, ...tidied(texts) };
  if (!draft.rows.some((other) => other.id === id))
    return { ...draft, rows: [...draft.rows, row], nextId: Math.max(draft.nextId, id + 1) };
  return { ...draft, rows: draft.rows.map((other) => (other.id === id ? row : other)) };
}

export function removeRow(draft: Draft, id: number): Draft {
  return { ...draft, rows: draft.rows.filter((row) => row.id !== id) };
}

/** @returns the first problem of a row, or null */
export function rowProblem(row: DraftRow): DraftRowProblem | null {
  if (row.remark) return { kind: row.remark };
  for (const field of ROW_FIELDS) {
    if (field === 'sourceGloss' && row.sourceGloss === '') continue;
    const kind = problemOf(row[field], MAX_LENGTHS[field]);
    if (kind) return { field, kind };
  }
  return null;
}

export type DraftProblem = 'no_name' | 'same_languages' | 'not_added' | 'bad_rows' | 'too_few' | 'too_many';

/** @returns the first reason why the draft can't be saved, or null */
export function draftProblem(draft: Draft): DraftProblem | null {
  if (problemOf(tidy(draft.name, MAX_LENGTHS.name), MAX_LENGTHS.name)) return 'no_name';
  if (draft.sourceLanguage === draft.targetLanguage) return 'same_languages';
  if (draft.pasted?.trim()) return 'not_added';
  if (draft.rows.some((row) => rowProblem(row))) return 'bad_rows';
  if (draft.rows.length > LIST_TERMS.max) return 'too_many';
  if (draft.rows.length < LIST_TERMS.min) return 'too_few';
  return null;
}

/** @returns the request that saves the draft, with one term for each row */
export function requestOf({ name, sourceLanguage, targetLanguage, shared, rows }: Draft): ListRequest {
  const terms = rows.map(({ sourceText, targetText, sourceGloss }) => ({
    sourceText,
    targetText,
    ...(sourceGloss !== '' && { sourceGloss }),
  }));
  return { name: tidy(name, MAX_LENGTHS.name), sourceLanguage, targetLanguage, shared, terms };
}

/**
 * Marks the rows that the service refuses.
 * @param errors the errors of this draft's request, with paths such as `terms.17.targetText`
 */
export function markRefused(draft: Draft, errors: readonly FieldError[]): Draft {
  const refused = new Set(errors.map(({ path }) => Number(/^terms\.(\d+)\b/.exec(path)?.[1] ?? -1)));
  const rows = draft.rows.map((row, at): DraftRow => (refused.has(at) ? { ...row, remark: 'refused' } : row));
  return { ...draft, rows };
}

/** @returns about how many questions a list has; only the service knows the exact number */
export function questionsOf({ rows }: Pick<Draft, 'rows'>): number {
  return new Set(rows.map(promptOf)).size;
}

/** @returns what words have in common that are asked as one question: the prompt and its note */
export function promptOf({ sourceText, sourceGloss }: Pick<DraftRow, 'sourceText' | 'sourceGloss'>): string {
  return [sourceText, sourceGloss].map(normalise).join('\n');
}

/**
 * @param translations those of one prompt
 * @returns what is accepted where the answer is typed, of each form one [contract 20]
 */
export function acceptedOf(translations: readonly string[], language: string): string[] {
  const variants = translations.flatMap((text) => alternativesOf(text, language));
  const shown = variants.map((text) => withoutBrackets(text).replace(/\s+/g, ' ').trim());
  // A text that gives several translations counts as a whole as well, which nobody types.
  const single = shown.filter((text) => text !== '' && formsOf(text, language).length === 1);
  return [...new Map(single.map((text) => [formOf(text, language), text])).values()];
}

type Terms = WordListWithTerms['terms'];

/** @returns a line for each word, with its translation and its note */
export function cellsOf(terms: Terms): string[][] {
  return terms.map(({ sourceText, targetText, sourceGloss = '' }) => [sourceText, targetText, sourceGloss]);
}

/**
 * A list as the text that Anki imports.
 * @returns a card for each word, whose note is in brackets behind the word: Anki's basic cards have two fields
 */
export function ankiOf(terms: Terms): string {
  const cards = terms.map(({ sourceText, targetText, sourceGloss }) => [
    sourceGloss ? `${sourceText} (${sourceGloss})` : sourceText,
    targetText,
  ]);
  // A line that begins with # would be a comment without quotation marks.
  const text = Papa.unparse(cards, { delimiter: '\t', newline: '\n', quotes: true });
  return `#separator:tab\n#html:false\n${text}\n`;
}
