// Shows how pasted text or a file is read, before its words are added: separators, encoding, sheet and columns can be
// changed.
import { useMemo, useState } from 'preact/hooks';
import { LIST_TERMS } from '../../vocabulary/lists/rules.ts';
import { useI18n } from '../i18n/index.tsx';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { type Column, guessColumns } from './columns.ts';
import { addCells, type Draft, ROW_FIELDS, rowProblem } from './draft.ts';
import { decode, ENCODINGS, type Encoding, guessEncoding, unicodeOf } from './encodings.ts';
import { FOUND_SEPARATORS, plainLinesOf, readTable, type Separators, textOfCell } from './read-table.ts';
import type { Sheet } from './read-workbook.ts';

/** What is imported: pasted text, the bytes of a text file, or a workbook. */
export type ImportSource = { text: string } | { bytes: Uint8Array<ArrayBuffer> } | { sheets: Sheet[] };

export interface ReadWords {
  /** The word, its translation and its note in each row, and what the row has beyond the table's columns. */
  rows: string[][];
  /** Whether the source has more words than a list can have. */
  isCut: boolean;
  /** The table's heading, arranged as the rows are. */
  heading: string[] | null;
}

/** The number of rows that are shown. */
const SHOWN = 5;
/** Stands for a separator that the user writes. */
const OWN = 'own';
const COLUMNS: Column[] = [...ROW_FIELDS, 'none'];

interface ImportPreviewProps {
  source: ImportSource;
  draft: Draft;
  /** The label of the button that adds the words. */
  text: string;
  onAdd(words: ReadWords): void;
  onCancel(): void;
}

export function ImportPreview({ source, draft, text, onAdd, onCancel }: ImportPreviewProps) {
  const { t } = useI18n();
  const { fields, read } = useSource(source, draft);
  const { table, guess } = read;
  const [chosen, setChosen] = useState<{ guess: typeof guess; columns: Column[] } | null>(null);
  // Another way to read the source has other columns.
  const columns = chosen?.guess === guess ? chosen.columns : guess.columns;
  const words = useMemo(
    () => arrange(table, guess.heading, columns, LIST_TERMS.max - draft.rows.length),
    [table, guess, columns],
  );
  const bad = useMemo(() => addCells({ ...draft, rows: [] }, words.rows).rows.filter(rowProblem).length, [words]);
  const choose = (at: number, column: Column) => {
    // A word, a translation or a note is in one column, so that another column gets what this one was.
    const before = columns[at] as Column;
    const isTaken = (one: Column) => one === column && column !== 'none';
    setChosen({ guess, columns: columns.map((one, other) => (other === at ? column : isTaken(one) ? before : one)) });
  };
  const names = { ...t.lists.fields, none: t.lists.leaveOut };
  const languages: Partial<Record<Column, string>> = {
    sourceText: draft.sourceLanguage,
    targetText: draft.targetLanguage,
  };
  return (
    <section class="import-preview stack" aria-label={t.lists.preview}>
      <div class="separators">{fields}</div>
      <p role="status">
        {t.lists.found(words.rows.length)} {bad > 0 && t.lists.badLines(bad)}
      </p>
      <div class="preview-columns">
        {columns.map((column, at) => (
          <Select
            key={at}
            label={t.lists.column(at + 1)}
            options={COLUMNS.map((value) => ({ value, text: names[value] }))}
            value={column}
            onValue={(value) => choose(at, value)}
          />
        ))}
      </div>
      <table>
        <thead class="visually-hidden">
          <tr>
            {columns.map((column, at) => (
              <th key={at}>{names[column]}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows
            .slice(guess.heading ? 1 : 0)
            .slice(0, SHOWN)
            .map((row, at) => (
              <tr key={`${at} ${row[0]}`}>
                {columns.map((column, cell) => (
                  <td key={cell} lang={languages[column]} dir="auto">
                    {textOfCell(row[cell] ?? '')}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
      <div class="actions">
        <Button class="primary" label={text} onClick={() => onAdd(words)} />
        <Button class="quiet" label={t.cancel} onClick={onCancel} />
      </div>
    </section>
  );
}

interface ReadSource {
  table: { rows: string[][]; isCut: boolean };
  guess: ReturnType<typeof guessColumns>;
}

/** @returns the rows of the source, and the fields by which the user changes how it is read */
function useSource(source: ImportSource, draft: Draft) {
  const { t } = useI18n();
  const [separators, setSeparators] = useState(FOUND_SEPARATORS);
  const [sheetAt, setSheetAt] = useState(0);
  const [chosenEncoding, setEncoding] = useState<Encoding | null>(null);
  const { sourceLanguage, targetLanguage } = draft;
  const languages: [string, string] = [sourceLanguage, targetLanguage];
  const unicode = useMemo(() => ('bytes' in source ? unicodeOf(source.bytes) : null), [source]);
  const encoding =
    'bytes' in source && unicode === null ? (chosenEncoding ?? guessEncoding(source.bytes, languages)) : null;
  const read = useMemo((): ReadSource => {
    const text =
      'text' in source
        ? source.text
        : (unicode ?? ('bytes' in source && encoding ? decode(source.bytes, encoding) : ''));
    const table = 'sheets' in source ? tableOf(source.sheets[sheetAt]) : readCells(text, separators);
    return { table, guess: guessColumns(table.rows, languages) };
  }, [source, encoding, unicode, separators, sheetAt, sourceLanguage, targetLanguage]);
  const sheets = 'sheets' in source ? source.sheets.map(({ name }, value) => ({ value, text: name })) : [];
  const fields = (
    <>
      {!('sheets' in source) && <SeparatorChoices separators={separators} onSeparators={setSeparators} />}
      {sheets.length > 1 && <Select label={t.lists.sheet} options={sheets} value={sheetAt} onValue={setSheetAt} />}
      {encoding && (
        <Select label={t.lists.encoding} options={ENCODING_OPTIONS} value={encoding} onValue={setEncoding} />
      )}
    </>
  );
  return { fields, read };
}

const ENCODING_OPTIONS = ENCODINGS.map((value) => ({ value, text: value }));

/** The most rows that are read: those of a list, and a heading. */
const MAX_ROWS = LIST_TERMS.max + 1;

function tableOf(sheet: Sheet | undefined): ReadSource['table'] {
  const rows = (sheet?.rows ?? []).filter((row) => row.some((cell) => cell.trim() !== ''));
  return { rows: rows.slice(0, MAX_ROWS), isCut: rows.length > MAX_ROWS };
}

function readCells(text: string, separators: Separators): ReadSource['table'] {
  const { rows, isCut, isHtml } = readTable(text, MAX_ROWS, separators);
  return { rows: isHtml ? rows.map((row) => row.map(textOfHtml)) : rows, isCut };
}

/** The text of a cell that is HTML, as Anki exports cards. The browser parses it without running or loading anything. */
function textOfHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(plainLinesOf(html), 'text/html');
  for (const hidden of body.querySelectorAll('script, style')) hidden.remove();
  return body.textContent ?? '';
}

/** @param max how many words the list can still have */
function arrange(
  { rows, isCut }: ReadSource['table'],
  heading: string[] | null,
  columns: readonly Column[],
  max: number,
): ReadWords {
  const inOrder = (row: readonly string[]) => [
    ...ROW_FIELDS.map((field) => row[columns.indexOf(field)] ?? ''),
    ...row.slice(columns.length),
  ];
  const words = heading ? rows.slice(1) : rows;
  return {
    rows: words.slice(0, max).map(inOrder),
    isCut: isCut || words.length > max,
    heading: heading && inOrder(heading),
  };
}

interface SeparatorChoicesProps {
  separators: Separators;
  onSeparators(separators: Separators): void;
}

function SeparatorChoices({ separators, onSeparators }: SeparatorChoicesProps) {
  const { t } = useI18n();
  const { found, tab, comma, semicolon, dash, line, blankLine } = t.lists.separators;
  return (
    <>
      <SeparatorChoice
        label={t.lists.betweenCells}
        names={{ '': found, '\t': tab, ',': comma, ';': semicolon, ' - ': dash }}
        onSeparator={(cells) => onSeparators({ ...separators, cells })}
      />
      <SeparatorChoice
        label={t.lists.betweenRows}
        names={{ '': line, '\n\n': blankLine, ';': semicolon }}
        onSeparator={(rows) => onSeparators({ ...separators, rows })}
      />
    </>
  );
}

interface SeparatorChoiceProps {
  label: string;
  names: Record<string, string>;
  onSeparator(separator: string): void;
}

function SeparatorChoice({ label, names, onSeparator }: SeparatorChoiceProps) {
  const { t } = useI18n();
  const [chosen, setChosen] = useState('');
  const [written, setWritten] = useState('');
  const options = Object.entries({ ...names, [OWN]: t.lists.separators.own }).map(([value, text]) => ({ value, text }));
  const choose = (value: string, text: string) => {
    setChosen(value);
    setWritten(text);
    onSeparator(value === OWN ? unescaped(text) : value);
  };
  return (
    <div>
      <Select label={label} options={options} value={chosen} onValue={(value) => choose(value, written)} />
      {chosen === OWN && (
        <Field
          label={t.lists.ownSeparator}
          name="separator"
          autoComplete="off"
          value={written}
          onValue={(text) => choose(OWN, text)}
        />
      )}
    </div>
  );
}

/** Quizlet shows a line break and a tab as `\n` and `\t`. */
const unescaped = (text: string) => text.replace(/\\n/g, '\n').replace(/\\t/g, '\t');
