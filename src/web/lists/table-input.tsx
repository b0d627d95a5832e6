// Imports words from a spreadsheet or a file, pasted or dropped, into the draft.
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { BUDGETS } from '../../budgets.ts';
import { LIST_TERMS } from '../../vocabulary/lists/rules.ts';
import { useI18n } from '../i18n/index.tsx';
import { Button } from '../ui/button.tsx';
import { AS_TYPED } from '../ui/field.tsx';
import { Notice } from '../ui/page.tsx';
import { addCells, type Draft } from './draft.ts';
import { type FileKind, kindOf } from './encodings.ts';
import { ImportPreview, type ImportSource, type ReadWords } from './import-preview.tsx';
import type { ArchiveProblem } from './read-workbook.ts';

interface TableInputProps {
  draft: Draft;
  onDraft(draft: Draft): void;
  /** What is done with the draft once words are added, and the button's label for that. */
  adding?: { text: string; add(draft: Draft): void };
}

/** The result of the last import. */
interface ImportResult {
  added: number;
  repeated: number;
  isCut: boolean;
  /** The spreadsheet's heading, which was left out. */
  heading: string[] | null;
}

export function TableInput({ draft, onDraft, adding }: TableInputProps) {
  const { t } = useI18n();
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const { pasted = '' } = draft;
  const [isPreviewed, setPreviewed] = useState(pasted !== '');
  const [result, setResult] = useState<ImportResult | null>(null);
  const { file, problem, addFile, closeFile } = useFile();
  const isOver = useDrop(addFile);
  const text = useMemo((): ImportSource => ({ text: pasted }), [pasted]);
  const source = file ?? (isPreviewed && pasted.trim() !== '' ? text : null);
  const addWords = ({ rows, isCut, heading }: ReadWords) => {
    const next = addCells(file ? draft : { ...draft, pasted: '' }, rows);
    if (adding) return adding.add(next);
    const added = next.rows.length - draft.rows.length;
    if (!file) setPreviewed(false);
    closeFile();
    setResult({ added, repeated: rows.length - added, isCut, heading });
    onDraft(next);
  };
  const addHeading = () => {
    if (!result?.heading) return;
    setResult({ ...result, added: result.added + 1, heading: null });
    onDraft(addCells(draft, [result.heading]));
  };
  return (
    <fieldset class={isOver ? 'table-input stack is-over' : 'table-input stack'}>
      <div class="field">
        <label for={id}>{t.lists.paste}</label>
        <textarea
          id={id}
          rows={3}
          {...AS_TYPED}
          dir="auto"
          aria-describedby={`${id}-hint`}
          value={pasted}
          onInput={(event) => onDraft({ ...draft, pasted: event.currentTarget.value })}
          onPaste={(event) => {
            const text = event.clipboardData?.getData('text/plain') ?? '';
            // A single cell is pasted as text.
            if (!/[\t\r\n]/.test(text)) return;
            event.preventDefault();
            const { value, selectionStart, selectionEnd } = event.currentTarget;
            const before = value.slice(0, selectionStart).replace(/[^\n]$/, '$&\n');
            onDraft({ ...draft, pasted: before + text + value.slice(selectionEnd) });
            setPreviewed(true);
          }}
        />
        <p class="hint" id={`${id}-hint`}>
          {t.lists.pasteMore} {t.lists.dropMore}
        </p>
      </div>
      <div class="actions">
        <Button label={t.lists.chooseFile} onClick={() => picker.current?.click()} />
        {pasted.trim() !== '' && !isPreviewed && <Button label={t.lists.preview} onClick={() => setPreviewed(true)} />}
        <input
          ref={picker}
          type="file"
          hidden
          onChange={(event) => {
            addFile(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
      </div>
      {problem && <Notice kind="error">{t.lists.fileProblems[problem]}</Notice>}
      {source && (
        <ImportPreview
          source={source}
          draft={draft}
          text={adding?.text ?? t.lists.addPasted}
          onAdd={addWords}
          onCancel={() => (file ? closeFile() : setPreviewed(false))}
        />
      )}
      {result && <ImportNotice result={result} onHeading={addHeading} />}
    </fieldset>
  );
}

/** @returns the file that is previewed or why it can't be read, and functions that read another one or close it */
function useFile() {
  const [read, setRead] = useState<ImportSource | FileProblem | null>(null);
  return {
    file: typeof read === 'string' ? null : read,
    problem: typeof read === 'string' ? read : null,
    addFile: (file: File | undefined) => file && readFile(file).then(setRead),
    closeFile: () => setRead(null),
  };
}

/**
 * Takes files that are dropped anywhere: the browser would leave the page and open them.
 * @returns whether a file is being dragged over the page
 */
function useDrop(addFile: (file: File | undefined) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const on = (type: 'dragover' | 'dragleave' | 'drop', isOver: boolean) => {
      const listener = (event: DragEvent) => {
        // Text that is dropped goes into the field, as ever.
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        setOver(isOver);
        if (type === 'drop') addFile(event.dataTransfer.files[0]);
      };
      window.addEventListener(type, listener, listening);
    };
    on('dragover', true);
    on('dragleave', false);
    on('drop', false);
    return () => listening.abort();
  }, []);
  return isOver;
}

function ImportNotice({ result, onHeading }: { result: ImportResult; onHeading(): void }) {
  const { t } = useI18n();
  const { added, repeated, isCut, heading } = result;
  return (
    <Notice kind="info">
      {t.lists.added(added)} {repeated > 0 && t.lists.repeated(repeated)} {isCut && t.lists.cut(LIST_TERMS.max)}
      {heading && (
        <>
          {t.lists.headingLeftOut(heading.slice(0, 2).join(', '))}{' '}
          <Button class="link" label={t.lists.addHeading} onClick={onHeading} />
        </>
      )}
    </Notice>
  );
}

/** Why a file can't be read. Each has a text that says what to do instead. */
export type FileProblem = Exclude<FileKind, 'text' | 'zip'> | ArchiveProblem | 'unreadable';

/** The largest body of a list, so that a text that is longer has more than a list. */
const TEXT_MAX_BYTES: (typeof BUDGETS)['listBody']['max'] = 4_194_304;
/** The largest workbook, bytes. Its pictures count as well. */
const WORKBOOK_MAX_BYTES = 50_000_000;

/** @returns what is in the file, or why it can't be read; it is never rejected */
export async function readFile(file: File): Promise<ImportSource | FileProblem> {
  const first = async (size: number) => new Uint8Array(await file.slice(0, size).arrayBuffer());
  try {
    const bytes = await first(TEXT_MAX_BYTES);
    const kind = kindOf(bytes);
    if (kind === 'text') return { bytes };
    if (kind !== 'zip') return kind;
    const { readWorkbook } = await import('./read-workbook.ts');
    const sheets = await readWorkbook(await first(WORKBOOK_MAX_BYTES));
    return typeof sheets === 'string' ? sheets : { sheets };
  } catch {
    // A folder was dropped, or there is no connection to load the reader of workbooks.
    return 'unreadable';
  }
}
