// Where words come in by the dozen: what is pasted or dropped here stands in the list at once.
import { useId, useRef, useState } from 'preact/hooks';
import { LIST_BODY_BYTES, LIST_TERMS } from '../../vocabulary/lists/limits.ts';
import { Notice } from '../components/notice.tsx';
import { useI18n } from '../i18n/index.tsx';
import { addCells, type Draft } from './draft.ts';
import { decodeText, readTable } from './read-table.ts';

interface TableInputProps {
  draft: Draft;
  onDraft(draft: Draft): void;
}

/** What came of the last table. */
interface Outcome {
  added: number;
  repeated: number;
  isCut: boolean;
}

export function TableInput({ draft, onDraft }: TableInputProps) {
  const { t } = useI18n();
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isOver, setOver] = useState(false);

  const add = (table: string) => {
    const { rows, isCut } = readTable(table, LIST_TERMS.max - draft.rows.length);
    const next = addCells(draft, rows);
    const added = next.rows.length - draft.rows.length;
    setOutcome({ added, repeated: rows.length - added, isCut });
    onDraft(next);
  };
  const addFile = (file: File | undefined) => {
    // What follows is more than any list can hold.
    const bytes = file?.slice(0, LIST_BODY_BYTES).arrayBuffer();
    // A folder can be dropped too.
    const nothing = () => setOutcome({ added: 0, repeated: 0, isCut: false });
    bytes?.then((buffer) => add(decodeText(new Uint8Array(buffer)))).catch(nothing);
  };
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
            // One word among what is being typed is no table.
            if (!/[\t\n]/.test(pasted)) return;
            event.preventDefault();
            add(pasted);
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
              add(text);
              setText('');
            }}
          >
            {t.lists.addPasted}
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
      {outcome && <Told outcome={outcome} />}
    </fieldset>
  );
}

function Told({ outcome: { added, repeated, isCut } }: { outcome: Outcome }) {
  const { t } = useI18n();
  return (
    <Notice kind="info">
      {t.lists.added(added)} {repeated > 0 && t.lists.repeated(repeated)}{' '}
      {isCut && t.lists.cut(LIST_TERMS.max)}
    </Notice>
  );
}
