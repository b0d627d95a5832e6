// Shows how pasted text or a file is read, before its words are added: the separators can be changed.
import { useMemo, useState } from 'preact/hooks';
import { LIST_TERMS } from '../../vocabulary/lists/limits.ts';
import { useI18n } from '../i18n/index.tsx';
import { Select } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import type { Draft } from './draft.ts';
import { textOfHtml } from './html-text.ts';
import { FOUND_SEPARATORS, readTable, type Separators } from './read-table.ts';

export interface ReadWords {
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

export function ImportPreview({ text, draft, onAdd, onCancel }: ImportPreviewProps) {
  const { t } = useI18n();
  const [separators, setSeparators] = useState(FOUND_SEPARATORS);
  const words = useMemo(
    () => readWords(text, LIST_TERMS.max - draft.rows.length, separators),
    [text, separators, draft.rows.length],
  );
  const languages = [draft.sourceLanguage, draft.targetLanguage];
  return (
    <section class="import-preview" aria-label={t.lists.preview}>
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
