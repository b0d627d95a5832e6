// The screen behind the link to homework: for its owner what people have answered, for everybody the way to do it.
import { useState } from 'preact/hooks';
import type { Assignment } from '../../client/types.ts';
import { client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';
import { Page } from '../ui/page.tsx';
import { QueryFallback } from '../ui/query-fallback.tsx';
import { TextWithNames } from '../ui/text-with-names.tsx';
import { useQuery } from '../ui/use-query.ts';
import { HomeworkFacts, HomeworkTimes } from './homework-facts.tsx';
import { OwnHomework } from './own-homework.tsx';
import { TakeHomework } from './take-homework.tsx';
import './homework.css';

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
