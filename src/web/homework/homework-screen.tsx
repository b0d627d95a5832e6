// The assignments that the user has begun and set, and the screen behind the link to one: for its owner what people have
// answered, for everybody the way to do it.
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Assignment, AssignmentResults, Assignments, ChangeAssignmentRequest } from '../../client/types.ts';
import { client } from '../api.ts';
import { saveTable } from '../download.ts';
import { navigate } from '../frame/router.ts';
import { GuestOffer } from '../game/guest-offer.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton, ButtonLink, ConfirmButton, SubmitButton, useSubmit } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Card, Notice, Page, TextWithNames } from '../ui/page.tsx';
import { PagedList, Pending, QueryFallback, useQuery } from '../ui/query.tsx';
import { ShareLink } from '../ui/share-link.tsx';
import { AttemptsChoice, TimeField } from './fields.tsx';
import { HomeworkEntry, HomeworkFacts, HomeworkTimes, TakeHomework } from './homework-facts.tsx';
import { localTimeOf, momentOf } from './local-time.ts';
import { HardestWords, PeopleTable, tableOf } from './results.tsx';
import './homework.css';

export function HomeworkScreen() {
  const { t } = useI18n();
  const create = <ButtonLink to="/homework/new" class="primary" label={t.homework.create} />;
  return (
    <Page title={t.homework.title} aside={create}>
      <PagedList
        title={t.homework.begun}
        read={async (before) => toItems(await client.getBegunAssignments({ before }))}
        older={t.homework.older}
        entry={(assignment) => <HomeworkEntry key={assignment.code} assignment={assignment} />}
      />
      <PagedList
        title={t.homework.ownTitle}
        read={async (before) => toItems(await client.getAssignments({ before }))}
        none={t.homework.none}
        older={t.homework.older}
        entry={(assignment) => <HomeworkEntry key={assignment.code} assignment={assignment} isOwn />}
      />
    </Page>
  );
}

const toItems = ({ assignments, next }: Assignments) => ({ items: assignments, next });

/** The screen behind the link to homework: for its owner what people have answered, for everybody the way to do it. */
export function AssignmentScreen({ code }: { code: string }) {
  const { t } = useI18n();
  const { data, error } = useQuery(() => client.getAssignment(code), code);
  if (data) return <FoundAssignment found={data} />;
  return <QueryFallback error={error} parent={{ path: '/', title: t.home }} />;
}

function FoundAssignment({ found }: { found: Assignment }) {
  const { t } = useI18n();
  const [assignment, setAssignment] = useState(found);
  const { title, ownerName } = assignment;
  const isOwn = assignment.startedCount !== undefined;
  return (
    <Page title={title} heading={<bdi>{title}</bdi>} width={isOwn ? 'wide' : 'narrow'}>
      <div>
        {!isOwn && (
          <p class="lead">
            <TextWithNames text={t.homework.setBy} names={[ownerName]} />
          </p>
        )}
        <HomeworkFacts assignment={assignment} />
        <HomeworkTimes assignment={assignment} />
      </div>
      {isOwn ? (
        <OwnHomework assignment={assignment} onChanged={setAssignment} />
      ) : (
        <section class="card" aria-label={title}>
          <TakeHomework assignment={assignment} kind="primary" />
        </section>
      )}
      <GuestOffer />
    </Page>
  );
}

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
        {(!results || error) && <Pending error={error} />}
        {results && (
          <>
            <PeopleTable results={results} onMore={more} onRemoved={refresh} />
            <HardestWords results={results} />
          </>
        )}
        <ActionButton label={t.lists.downloadTable} action={save} />
      </div>
      <div class="stack">
        <Card title={t.homework.change}>
          <ChangeHomework assignment={assignment} onChanged={onChanged} />
        </Card>
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

/** Changes the title, the times and the attempts of homework, or closes it now. */
function ChangeHomework({ assignment, onChanged }: OwnHomeworkProps) {
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
      <AttemptsChoice current={assignment.attempts} value={attempts} onValue={setAttempts} />
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

/** The results of an assignment, read again from time to time while its owner looks at them. */
function useResults(code: string) {
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
