// The assignments that the user has set, and the screen behind the link to one: for its owner what people have
// answered, for everybody the way to do it.
import { useEffect, useState } from 'preact/hooks';
import type { Assignment, Assignments } from '../../client/types.ts';
import { client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';
import { Link } from '../ui/link.tsx';
import { Notice, Spinner } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { useSubmit } from '../ui/submit-button.tsx';
import { HomeworkFacts, HomeworkTimes, TakeHomework } from './homework-facts.tsx';
import './homework.css';
import { QueryFallback, useQuery } from '../ui/query.tsx';
import { TextWithNames } from '../ui/text-with-names.tsx';
import { OwnHomework } from './own-homework.tsx';

export function HomeworkScreen() {
  const { t, explain } = useI18n();
  const [found, setFound] = useState<Assignments | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    client.getAssignments().then(setFound, (thrown: unknown) => setFailure(explain(thrown)));
  }, []);
  const more = useSubmit(async () => {
    if (!found?.next) return;
    const { assignments, next } = await client.getAssignments({ before: found.next });
    setFound({ assignments: [...found.assignments, ...assignments], next });
  });
  const create = (
    <Link to="/homework/new" class="button primary">
      {t.homework.create}
    </Link>
  );
  return (
    <Page title={t.homework.title} aside={create}>
      {failure && <Notice kind="error">{failure}</Notice>}
      {!found && !failure && <Spinner text={t.loading} />}
      {found?.assignments.length === 0 && <p class="lead">{t.homework.none}</p>}
      {found && found.assignments.length > 0 && (
        <ul class="card entries ruled">
          {found.assignments.map((assignment) => (
            <li key={assignment.code}>
              <Link to={`/homework/${assignment.code}`} class="entry-link">
                <bdi>{assignment.title}</bdi>
              </Link>
              <HomeworkTimes assignment={assignment} />
              <p class="hint">{t.homework.finished(assignment.finishedCount ?? 0)}</p>
            </li>
          ))}
        </ul>
      )}
      {more.error && <Notice kind="error">{more.error}</Notice>}
      {found?.next && (
        <button type="button" class="secondary" aria-busy={more.isBusy} onClick={more.submit}>
          {t.homework.older}
        </button>
      )}
    </Page>
  );
}

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
    </Page>
  );
}
