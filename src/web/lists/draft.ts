// A list as it is being written: its rows may still be wrong, and each says what is. Pure, and plain
// data, so that it survives a reload.
import type { FieldError } from '../../client/api-error.ts';
import type { ListRequest, WordListWithTerms } from '../../client/types.ts';
import { LIST_TERMS, MAX_LENGTHS } from '../../vocabulary/lists/limits.ts';
import { withoutRepetitions } from '../../vocabulary/lists/rules.ts';
import { problemOf, type TextProblem, tidy } from '../../vocabulary/text-rules.ts';

export const ROW_FIELDS = ['sourceText', 'targetText', 'sourceGloss'] as const;
export type RowField = (typeof ROW_FIELDS)[number];

export interface Row extends Record<RowField, string> {
  /** Its own for as long as the draft lives. */
  id: number;
  /** What only its reader or the service could tell of it; gone when it is changed. */
  remark?: 'too_many_cells' | 'refused';
}

export interface Draft extends Omit<ListRequest, 'terms' | 'shared'> {
  shared: boolean;
  rows: Row[];
  nextId: number;
}

export interface RowProblem {
  /** None: the row as a whole. */
  field?: RowField;
  kind: TextProblem | NonNullable<Row['remark']>;
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

/** Adds a spreadsheet's cells: what is asked, its translation, and perhaps a note. */
export function addCells(draft: Draft, table: string[][]): Draft {
  const added = table.map((cells, at): Row => {
    const [sourceText = '', targetText = '', sourceGloss = ''] = cells.map(onOneLine).map(tidy);
    const row = { id: draft.nextId + at, sourceText, targetText, sourceGloss };
    const isLonger = cells.slice(ROW_FIELDS.length).some((cell) => tidy(cell) !== '');
    return isLonger ? { ...row, remark: 'too_many_cells' } : row;
  });
  const rows = withoutRepetitions([...draft.rows, ...added]);
  return { ...draft, rows, nextId: draft.nextId + added.length };
}

/** A cell may be broken into lines, which no word is. */
const onOneLine = (cell: string) => cell.replace(/[ \t\r\n]+/g, ' ');

/** Puts a row in the place of the one with its id; a new one comes last. */
export function putRow(draft: Draft, { id, ...texts }: Row): Draft {
  const tidied = Object.fromEntries(ROW_FIELDS.map((field) => [field, tidy(texts[field])]));
  const row = { id, ...(tidied as Record<RowField, string>) };
  if (!draft.rows.some((other) => other.id === id))
    return { ...draft, rows: [...draft.rows, row], nextId: Math.max(draft.nextId, id + 1) };
  return { ...draft, rows: draft.rows.map((other) => (other.id === id ? row : other)) };
}

export function removeRow(draft: Draft, id: number): Draft {
  return { ...draft, rows: draft.rows.filter((row) => row.id !== id) };
}

/** @returns what is wrong with a row, or null */
export function rowProblem(row: Row): RowProblem | null {
  if (row.remark) return { kind: row.remark };
  for (const field of ROW_FIELDS) {
    if (field === 'sourceGloss' && row.sourceGloss === '') continue;
    const kind = problemOf(row[field], MAX_LENGTHS[field]);
    if (kind) return { field, kind };
  }
  return null;
}

/** Why a draft can't be saved yet. */
export type DraftProblem = 'no_name' | 'same_languages' | 'bad_rows' | 'too_few' | 'too_many';

/** @returns null when nothing stands in the way */
export function draftProblem(draft: Draft): DraftProblem | null {
  if (problemOf(tidy(draft.name), MAX_LENGTHS.name)) return 'no_name';
  if (draft.sourceLanguage === draft.targetLanguage) return 'same_languages';
  if (draft.rows.some((row) => rowProblem(row))) return 'bad_rows';
  if (draft.rows.length > LIST_TERMS.max) return 'too_many';
  if (withoutRepetitions(draft.rows).length < LIST_TERMS.min) return 'too_few';
  return null;
}

/** @returns what the service is sent, one term a row */
export function requestOf({
  name,
  sourceLanguage,
  targetLanguage,
  shared,
  rows,
}: Draft): ListRequest {
  const terms = rows.map(({ sourceText, targetText, sourceGloss }) => ({
    sourceText,
    targetText,
    ...(sourceGloss !== '' && { sourceGloss }),
  }));
  return { name: tidy(name), sourceLanguage, targetLanguage, shared, terms };
}

/**
 * Marks the rows that the service refuses.
 * @param errors of the request for this draft: `terms.17.targetText`
 */
export function markRefused(draft: Draft, errors: readonly FieldError[]): Draft {
  const refused = new Set(
    errors.map(({ path }) => Number(/^terms\.(\d+)\b/.exec(path)?.[1] ?? -1)),
  );
  const rows = draft.rows.map(
    (row, at): Row => (refused.has(at) ? { ...row, remark: 'refused' } : row),
  );
  return { ...draft, rows };
}

/** @returns how many questions a list gives, about: the service knows for sure */
export function questionsOf({ rows }: Pick<Draft, 'rows'>): number {
  return withoutRepetitions(
    rows.map(({ sourceText, sourceGloss }) => {
      return { sourceText, targetText: '', sourceGloss };
    }),
  ).length;
}
