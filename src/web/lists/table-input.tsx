// Imports words from a spreadsheet or a file, pasted or dropped, into the draft.
import { useId, useRef, useState } from 'preact/hooks';
import type { BUDGETS } from '../../budgets.ts';
import { LIST_TERMS } from '../../vocabulary/lists/limits.ts';
import { useI18n } from '../i18n/index.tsx';
import { Notice } from '../ui/notice.tsx';
import { addCells, type Draft } from './draft.ts';
import { hasHeading } from './header-row.ts';
import { ImportPreview, type ReadWords } from './import-preview.tsx';
import { decodeText } from './read-table.ts';

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
      class={isOver ? 'table-input is-over' : 'table-input'}
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
          spellcheck={false}
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
