// Imports words from a spreadsheet or a file, pasted or dropped, into the draft.
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import type { BUDGETS } from '../../budgets.ts';
import { LIST_TERMS } from '../../vocabulary/lists/rules.ts';
import { useI18n } from '../i18n/index.tsx';
import { Select } from '../ui/choice.tsx';
import { AS_TYPED, Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { addCells, type Draft } from './draft.ts';
import { decodeText, FOUND_SEPARATORS, hasHeading, readTable, type Separators } from './read-table.ts';

/** The largest body of a list. */
const BODY_MAX_BYTES: (typeof BUDGETS)['listBody']['max'] = 4_194_304;

interface TableInputProps {
  draft: Draft;
  onDraft(draft: Draft): void;
}

/** The result of the last import. */
interface ImportResult {
  added: number;
  repeated: number;
  isCut: boolean;
  /** The spreadsheet's heading, which was left out. */
  heading: string[] | null;
}

export function TableInput({ draft, onDraft }: TableInputProps) {
  const { t } = useI18n();
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOver, setOver] = useState(false);
  const { result, pending, setPending, addWords, addFile, addHeading } = useTableImport({ draft, onDraft });
  return (
    <fieldset
      class={isOver ? 'table-input stack is-over' : 'table-input stack'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        addFile(event.dataTransfer?.files[0]);
      }}
    >
      <div class="field">
        <label for={id}>{t.lists.paste}</label>
        <textarea
          id={id}
          rows={3}
          {...AS_TYPED}
          dir="auto"
          aria-describedby={`${id}-hint`}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData?.getData('text/plain') ?? '';
            // A single cell is pasted as text.
            if (!/[\t\n]/.test(pasted)) return;
            event.preventDefault();
            setPending(pasted);
          }}
        />
        <p class="hint" id={`${id}-hint`}>
          {t.lists.pasteMore} {t.lists.dropMore}
        </p>
      </div>
      <div class="actions">
        <button type="button" class="secondary" onClick={() => picker.current?.click()}>
          {t.lists.chooseFile}
        </button>
        {text.trim() !== '' && (
          <button
            type="button"
            class="secondary"
            onClick={() => {
              setPending(text);
              setText('');
            }}
          >
            {t.lists.preview}
          </button>
        )}
        <input
          ref={picker}
          type="file"
          hidden
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          onChange={(event) => {
            addFile(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
      </div>
      {pending !== null && (
        <ImportPreview key={pending} text={pending} draft={draft} onAdd={addWords} onCancel={() => setPending(null)} />
      )}
      {result && <ImportNotice result={result} onHeading={addHeading} />}
    </fieldset>
  );
}

/** @returns the text whose import is previewed, the result of the last import, and functions that change them */
function useTableImport({ draft, onDraft }: TableInputProps) {
  const [result, setResult] = useState<ImportResult | null>(null);
  const [pending, setPending] = useState<string | null>(null);
  const addWords = ({ rows: read, isCut }: ReadWords) => {
    const rows = [...read];
    setPending(null);
    const isHeaded = hasHeading(rows, [draft.sourceLanguage, draft.targetLanguage]);
    const heading = (isHeaded && rows.shift()) || null;
    const next = addCells(draft, rows);
    const added = next.rows.length - draft.rows.length;
    setResult({ added, repeated: rows.length - added, isCut, heading });
    onDraft(next);
  };
  const addHeading = () => {
    if (!result?.heading) return;
    setResult({ ...result, added: result.added + 1, heading: null });
    onDraft(addCells(draft, [result.heading]));
  };
  const addFile = (file: File | undefined) => {
    // A list can't be larger than this.
    const bytes = file?.slice(0, BODY_MAX_BYTES).arrayBuffer();
    // Reading fails if the user drops a folder.
    const nothing = () => setResult({ added: 0, repeated: 0, isCut: false, heading: null });
    bytes?.then((buffer) => setPending(decodeText(new Uint8Array(buffer)))).catch(nothing);
  };
  return { result, pending, setPending, addWords, addFile, addHeading };
}

interface ImportNoticeProps {
  result: ImportResult;
  /** Adds the heading as a word. */
  onHeading(): void;
}

function ImportNotice({ result, onHeading }: ImportNoticeProps) {
  const { t } = useI18n();
  const { added, repeated, isCut, heading } = result;
  return (
    <Notice kind="info">
      {t.lists.added(added)} {repeated > 0 && t.lists.repeated(repeated)} {isCut && t.lists.cut(LIST_TERMS.max)}
      {heading && (
        <>
          {t.lists.headingLeftOut(heading.slice(0, 2).join(', '))}{' '}
          <button type="button" class="link" onClick={onHeading}>
            {t.lists.addHeading}
          </button>
        </>
      )}
    </Notice>
  );
}

interface ReadWords {
  rows: string[][];
  isCut: boolean;
}

/** The number of rows that are shown. */
const SHOWN = 5;
const COLUMNS = [0, 1, 2];
/** Stands for a separator that the user writes. */
const OWN = 'own';

interface ImportPreviewProps {
  text: string;
  draft: Draft;
  onAdd(words: ReadWords): void;
  onCancel(): void;
}

/** Shows how pasted text or a file is read, before its words are added: the separators can be changed. */
function ImportPreview({ text, draft, onAdd, onCancel }: ImportPreviewProps) {
  const { t } = useI18n();
  const [separators, setSeparators] = useState(FOUND_SEPARATORS);
  const words = useMemo(
    () => readWords(text, LIST_TERMS.max - draft.rows.length, separators),
    [text, separators, draft.rows.length],
  );
  const languages = [draft.sourceLanguage, draft.targetLanguage];
  return (
    <section class="import-preview stack" aria-label={t.lists.preview}>
      <SeparatorChoices separators={separators} onSeparators={setSeparators} />
      <p role="status">{t.lists.found(words.rows.length)}</p>
      <table>
        <thead class="visually-hidden">
          <tr>
            {Object.values(t.lists.fields).map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {words.rows.slice(0, SHOWN).map((row, at) => (
            <tr key={`${at} ${row[0]}`}>
              {COLUMNS.map((column) => (
                <td key={column} lang={languages[column]} dir="auto">
                  {row[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="actions">
        <button type="button" class="primary" onClick={() => onAdd(words)}>
          {t.lists.addPasted}
        </button>
        <button type="button" class="quiet" onClick={onCancel}>
          {t.cancel}
        </button>
      </div>
    </section>
  );
}

/** @param max the largest number of rows */
function readWords(text: string, max: number, separators: Separators): ReadWords {
  const { rows, isCut, isHtml } = readTable(text, max, separators);
  return { rows: isHtml ? rows.map((row) => row.map(textOfHtml)) : rows, isCut };
}

interface SeparatorChoicesProps {
  separators: Separators;
  onSeparators(separators: Separators): void;
}

function SeparatorChoices({ separators, onSeparators }: SeparatorChoicesProps) {
  const { t } = useI18n();
  const names = t.lists.separators;
  return (
    <div class="separators">
      <SeparatorChoice
        label={t.lists.betweenCells}
        options={[
          { value: '', text: names.found },
          { value: '\t', text: names.tab },
          { value: ',', text: names.comma },
          { value: ';', text: names.semicolon },
          { value: ' - ', text: names.dash },
        ]}
        onSeparator={(cells) => onSeparators({ ...separators, cells })}
      />
      <SeparatorChoice
        label={t.lists.betweenRows}
        options={[
          { value: '', text: names.line },
          { value: '\n\n', text: names.blankLine },
          { value: ';', text: names.semicolon },
        ]}
        onSeparator={(rows) => onSeparators({ ...separators, rows })}
      />
    </div>
  );
}

interface SeparatorChoiceProps {
  label: string;
  options: { value: string; text: string }[];
  onSeparator(separator: string): void;
}

function SeparatorChoice({ label, options, onSeparator }: SeparatorChoiceProps) {
  const { t } = useI18n();
  const [chosen, setChosen] = useState('');
  const [written, setWritten] = useState('');
  const isOwn = chosen === OWN;
  return (
    <div>
      <Select
        label={label}
        options={[...options, { value: OWN, text: t.lists.separators.own }]}
        value={chosen}
        onValue={(value) => {
          setChosen(value);
          onSeparator(value === OWN ? unescaped(written) : value);
        }}
      />
      {isOwn && (
        <Field
          label={t.lists.ownSeparator}
          name="separator"
          autoComplete="off"
          value={written}
          onValue={(text) => {
            setWritten(text);
            onSeparator(unescaped(text));
          }}
        />
      )}
    </div>
  );
}

/** Quizlet shows a line break and a tab as `\n` and `\t`. */
const unescaped = (text: string) => text.replace(/\\n/g, '\n').replace(/\\t/g, '\t');

/** The longest cell that is parsed, UTF-16 units. A text of this length is too long for a word anyway. */
const MAX_LENGTH = 5000;

/** What ends a line. */
const BREAKS = /<br\s*\/?>|<\/(?:div|p|li)>/gi;
/** The names of Anki's media files. */
const MEDIA = /\[sound:[^\]]*\]/g;

/** The text of a cell that is HTML, as Anki exports cards. The browser parses it without running or loading anything. */
function textOfHtml(html: string): string {
  const lines = html.slice(0, MAX_LENGTH).replace(BREAKS, ' ').replace(MEDIA, '');
  const { body } = new DOMParser().parseFromString(lines, 'text/html');
  for (const hidden of body.querySelectorAll('script, style')) hidden.remove();
  // Cards have unbreakable spaces where somebody has typed two.
  return (body.textContent ?? '').replace(/\s+/g, ' ').trim();
}
