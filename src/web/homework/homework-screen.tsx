// The assignments that the user has set, newest first. It is loaded when it is opened, as all screens of homework are.
import { useEffect, useState } from 'preact/hooks';
import type { Assignments } from '../../client/types.ts';
import { client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';
import { Link } from '../ui/link.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { HomeworkTimes } from './homework-facts.tsx';
import './homework.css';

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
