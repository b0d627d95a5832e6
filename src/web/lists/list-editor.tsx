// Edits the draft of a list and saves it, or takes pasted words as a list that is used at once.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import type { ListRequest } from '../../client/types.ts';
import { ISO_639_1_CODES, withoutRepetitions } from '../../vocabulary/lists/rules.ts';
import { useI18n } from '../i18n/index.tsx';
import { Button, useSubmit } from '../ui/button.tsx';
import { Check, Select } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/page.tsx';
import { useLanguageName } from '../words/names.ts';
import {
  type Draft,
  type DraftProblem,
  draftProblem,
  markRefused,
  newDraft,
  requestOf,
  rowProblem,
  swapped,
} from './draft.ts';
import type { EditedDraft } from './list-screen.tsx';
import { TableInput } from './table-input.tsx';
import { TermRows } from './term-rows.tsx';
import './lists.css';

interface ListEditorProps {
  edited: EditedDraft;
  /** Called with a draft in which the page has found no problem. */
  onSave(draft: Draft): Promise<void>;
}

export function ListEditor({ edited, onSave }: ListEditorProps) {
  const { t } = useI18n();
  const { draft, isChanged, change } = edited;
  const [problem, setProblem] = useState<{ kind: DraftProblem } | null>(null);
  const editor = useRef<HTMLDivElement>(null);
  // Each attempt to save leads to the invalid field, also a second one with the same problem.
  useLayoutEffect(() => editor.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [problem]);
  const [isSaved, setSaved] = useState(false);
  const changed = (next: Draft) => {
    setProblem(null);
    setSaved(false);
    change(next);
  };
  const { isBusy, error, submit } = useSubmit(async () => {
    const found = draftProblem(draft);
    setProblem(found && { kind: found });
    if (found) return;
    const sent = { ...draft, rows: withoutRepetitions(draft.rows) };
    await onSave(sent).catch((thrown: unknown) => {
      if (thrown instanceof ApiError) change(markRefused(sent, thrown.errors ?? []));
      throw thrown;
    });
    setSaved(true);
  });
  return (
    <div ref={editor} class="stack">
      <div class="card">
        <Field
          label={t.lists.name}
          name="list"
          autoComplete="off"
          value={draft.name}
          problem={problem?.kind === 'no_name' ? t.lists.draftProblems.no_name : undefined}
          onValue={(name) => changed({ ...draft, name })}
        />
        <LanguageFields
          direction={draft}
          onDirection={(direction) => changed({ ...draft, ...direction })}
          onSwap={() => changed(swapped(draft))}
        />
        <Check isOn={draft.shared} onChange={(shared) => changed({ ...draft, shared })}>
          {t.lists.share} <small class="hint">{t.lists.shareMore}</small>
        </Check>
        <TableInput draft={draft} onDraft={changed} />
      </div>
      <div class="card">
        <TermRows list={draft} onDraft={changed} />
      </div>
      {problem && problem.kind !== 'no_name' && <Notice kind="error">{t.lists.draftProblems[problem.kind]}</Notice>}
      {error && <Notice kind="error">{error}</Notice>}
      {isSaved && <Notice kind="good">{t.lists.saved}</Notice>}
      {isChanged && (
        <div class="save-bar row">
          <span class="hint">{t.lists.unsaved}</span>
          <Button class="quiet" label={t.lists.discard} onClick={edited.discard} />
          <Button class="primary" label={t.lists.save} aria-busy={isBusy} onClick={submit} />
        </div>
      )}
    </div>
  );
}

type Languages = Pick<Draft, 'sourceLanguage' | 'targetLanguage'>;

interface LanguageFieldsProps {
  direction: Languages;
  onDirection(direction: Languages): void;
  /** Exchanges the languages, and the columns with them. */
  onSwap(): void;
}

/** Chooses the two languages of a list among all of ISO 639-1. */
export function LanguageFields({ direction, onDirection, onSwap }: LanguageFieldsProps) {
  const { t, locale } = useI18n();
  const languageName = useLanguageName();
  const { sourceLanguage, targetLanguage } = direction;
  const options = useMemo(() => {
    // Twi has the name of Akan, to which it belongs. A list that has it keeps it.
    const chosen = [sourceLanguage, targetLanguage, ...ISO_639_1_CODES];
    const byName = new Map(chosen.reverse().map((value) => [languageName(value), value]));
    return [...byName].map(([text, value]) => ({ value, text })).sort((a, b) => a.text.localeCompare(b.text, locale));
  }, [locale, languageName, sourceLanguage, targetLanguage]);
  return (
    <div class="direction">
      <Select
        label={t.from}
        options={options}
        value={sourceLanguage}
        onValue={(code) => onDirection({ sourceLanguage: code, targetLanguage })}
      />
      <button type="button" class="quiet swap" aria-label={t.swap} onClick={onSwap}>
        <Icon name="swap" />
      </button>
      <Select
        label={t.to}
        options={options}
        value={targetLanguage}
        onValue={(code) => onDirection({ sourceLanguage, targetLanguage: code })}
      />
    </div>
  );
}

interface PasteWordsProps {
  text: string;
  /** @param list what the service is to store, without the rows that it would refuse */
  use(list: ListRequest): Promise<unknown>;
}

export function PasteWords({ text, use }: PasteWordsProps) {
  const { t, locale, explain } = useI18n();
  const [draft, setDraft] = useState(() => ({
    ...newDraft(locale === 'en' ? 'it' : 'en', locale),
    name: t.lists.ownWords,
  }));
  const [error, setError] = useState<string | null>(null);
  const add = (added: Draft) => {
    const rows = added.rows.filter((row) => rowProblem(row) === null);
    use(requestOf({ ...added, rows })).catch((thrown: unknown) => setError(explain(thrown)));
  };
  return (
    <div class="stack">
      <LanguageFields
        direction={draft}
        onDirection={(direction) => setDraft({ ...draft, ...direction })}
        onSwap={() => setDraft({ ...draft, ...swapped(draft) })}
      />
      <TableInput draft={draft} onDraft={setDraft} adding={{ text, add }} />
      {error && <Notice kind="error">{error}</Notice>}
    </div>
  );
}
