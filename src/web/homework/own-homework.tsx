// The screen of the owner of homework: the link, who has begun and who is done, the hardest words, and what can be
// changed.
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Assignment, AssignmentResults, ChangeAssignmentRequest } from '../../client/types.ts';
import { client } from '../api.ts';
import { saveTable } from '../download.ts';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton, ConfirmButton, SubmitButton, useSubmit } from '../ui/button.tsx';
import { numberOptions, RadioGroup } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { Notice, Spinner } from '../ui/notice.tsx';
import { ShareLink } from '../ui/share-link.tsx';
import { attemptChoices, TimeField } from './fields.tsx';
import { TakeHomework } from './homework-facts.tsx';
import { localTimeOf, momentOf } from './local-time.ts';
import { HardestWords, PeopleTable, tableOf } from './results.tsx';

interface OwnHomeworkProps {
  assignment: Assignment;
  onChanged(assignment: Assignment): void;
}

export function OwnHomework({ assignment, onChanged }: OwnHomeworkProps) {
  const { t, dateTime } = useI18n();
  const { code, title } = assignment;
  const { results, error, more, refresh } = useResults(code);
  const remove = async () => {
    await client.deleteAssignment(code);
    navigate('/homework', { replace: true });
  };
  const save = async () => {
    const { people } = await readPages(code, Number.POSITIVE_INFINITY);
    await saveTable(tableOf(people, t, dateTime), title);
  };
  return (
    <div class="columns columns-homework">
      <ShareLink
        title={t.homework.link}
        path={`/homework/${code}`}
        hint={t.homework.linkMore}
        text={t.homework.shareText(title)}
      />
      <div class="stack">
        {error && <Notice kind="error">{error}</Notice>}
        {!results && !error && <Spinner text={t.loading} />}
        {results && (
          <>
            <PeopleTable results={results} onMore={more} onRemoved={refresh} />
            <HardestWords results={results} />
          </>
        )}
        <ActionButton label={t.lists.downloadTable} action={save} />
      </div>
      <div class="stack">
        <section class="card" aria-labelledby="change">
          <h2 id="change">{t.homework.change}</h2>
          <ChangeHomework assignment={assignment} onChanged={onChanged} />
        </section>
        <TakeHomework assignment={results?.assignment ?? assignment} kind="secondary" />
        <ConfirmButton
          label={t.homework.delete}
          class="danger"
          question={t.homework.deleteAsk(title)}
          consequence={t.homework.deleteMore}
          action={remove}
        />
      </div>
    </div>
  );
}

interface ChangeHomeworkProps {
  assignment: Assignment;
  onChanged(assignment: Assignment): void;
}

/** Changes the title, the times and the attempts of homework, or closes it now. */
function ChangeHomework({ assignment, onChanged }: ChangeHomeworkProps) {
  const { t } = useI18n();
  const { code, opensAt } = assignment;
  const [title, setTitle] = useState(assignment.title);
  const [closesAt, setClosesAt] = useState(localTimeOf(assignment.closesAt));
  const [attempts, setAttempts] = useState(assignment.attempts);
  const [isSaved, setSaved] = useState(false);
  const change = async (request: ChangeAssignmentRequest) => {
    setSaved(false);
    const changed = await client.updateAssignment(code, request);
    setClosesAt(localTimeOf(changed.closesAt));
    setSaved(true);
    onChanged(changed);
  };
  const saving = useSubmit(() =>
    change({
      ...(title !== assignment.title && { title }),
      ...(attempts !== assignment.attempts && { attempts }),
      ...(closesAt !== localTimeOf(assignment.closesAt) && { closesAt: momentOf(closesAt) ?? '' }),
    }),
  );
  const now = new Date().toISOString();
  const isOpen = opensAt < now && now < assignment.closesAt;
  return (
    <form onSubmit={saving.submit}>
      <Field label={t.homework.name} name="title" autoComplete="off" value={title} onValue={setTitle} />
      <TimeField label={t.homework.until} value={closesAt} onValue={setClosesAt} />
      <RadioGroup
        label={t.homework.attemptsEach}
        isNumeric
        options={numberOptions(attemptChoices(assignment.attempts))}
        value={attempts}
        onValue={setAttempts}
      />
      {isSaved && <Notice kind="good">{t.lists.saved}</Notice>}
      <SubmitButton sending={saving} label={t.homework.save} />
      {isOpen && (
        <ConfirmButton
          label={t.homework.close}
          class="secondary"
          question={t.homework.closeAsk}
          consequence={t.homework.closeMore}
          action={() => change({ closesAt: new Date().toISOString() })}
        />
      )}
    </form>
  );
}

/** The time between two readings, which the rate limiter of games allows for some windows at once. */
const POLL_MS = 15_000;
/** People on a page of the results. [contract 21] */
const PAGE = 200;

interface Results {
  results: AssignmentResults | null;
  error: string | null;
  /** Reads a page more from now on. */
  more(): void;
  /** Reads the results now. */
  refresh(): void;
}

/** The results of an assignment, read again from time to time while its owner looks at them. */
function useResults(code: string): Results {
  const { explain } = useI18n();
  const [results, setResults] = useState<AssignmentResults | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [pages, setPages] = useState(1);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const read = () => {
      if (document.visibilityState === 'hidden') return;
      readPages(code, pages).then(
        (found) => {
          if (!isCurrent) return;
          setResults(found);
          setError(null);
        },
        (thrown: unknown) => isCurrent && setError(explain(thrown)),
      );
    };
    read();
    const timer = setInterval(read, POLL_MS);
    document.addEventListener('visibilitychange', read);
    return () => {
      isCurrent = false;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [code, pages, turn, explain]);
  const more = useCallback(() => setPages((before) => before + 1), []);
  const refresh = useCallback(() => setTurn((before) => before + 1), []);
  return { results, error, more, refresh };
}

async function readPages(code: string, pages: number): Promise<AssignmentResults> {
  let results = await client.getAssignmentResults(code, { limit: PAGE });
  for (let page = 1; page < pages && results.next; page++) {
    const following = await client.getAssignmentResults(code, { limit: PAGE, after: results.next });
    results = { ...following, people: [...results.people, ...following.people] };
  }
  return results;
}
